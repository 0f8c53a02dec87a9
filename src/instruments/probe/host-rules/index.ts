/** The public face of the rules that hold a network of containers to a scope. */
export {
  type Applied,
  applyHostRules,
  describeHostRules,
  type RuleMaker,
  removeHostRules,
  ruleMakers,
} from './apply.ts';
export { inspectDockerNetwork, readDockerNetwork } from './docker-network.ts';
export { hostRulesIptables, type IptablesText } from './iptables.ts';
export { chainPrefix, checkedNetwork, tableName } from './names.ts';
export { hostRules } from './nft.ts';
export { type HeldNetwork, type HostRuleOptions, nameOfSubnets, planHostRules, type RulePlan } from './plan.ts';
export { type ReachList, reachOfScope } from './reach.ts';
export { notHeld, type RunHost } from './run-host.ts';
