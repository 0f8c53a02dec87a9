/** The public face of getting a target into a box. */
export { carryOut, type InstallOutcome, type InstallPlace, placeFiles, type StepOutcome } from './carry-out.ts';
export {
  appFolder,
  defaultInstallLimits,
  type InstallLimits,
  type InstallOptions,
  type InstallPlan,
  type InstallStep,
  inHome,
} from './contract.ts';
export { planInstall } from './plan-install.ts';
