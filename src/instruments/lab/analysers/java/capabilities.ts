import type { Draft, FindingRule } from '../draft.ts';

/** What code can do, told by the methods and classes that it names. For Java and for Android alike. */
export interface Capability extends FindingRule {
  readonly pattern: RegExp;
}

export const javaCapabilities: readonly Capability[] = [
  {
    rule: 'java.run-program',
    title: 'Can start programs',
    severity: 'medium',
    evidenceType: 'behaviour',
    pattern: /^java\.lang\.(?:Runtime\.exec|ProcessBuilder\b)/,
    benign: 'Launchers, build tools and editors start programs.',
    attack: ['T1106', 'T1059'],
    mbc: ['C0017'],
  },
  {
    rule: 'java.load-code',
    title: 'Can load code that is not part of the file',
    severity: 'medium',
    evidenceType: 'behaviour',
    pattern:
      /^(?:java\.net\.URLClassLoader|java\.lang\.ClassLoader\.defineClass|java\.lang\.invoke\.MethodHandles\$Lookup\.defineClass|dalvik\.system\.(?:Dex|Path|InMemoryDex|BaseDex)ClassLoader|dalvik\.system\.DexFile)/,
    benign: 'Plug-in systems and application servers load code.',
    attack: ['T1620', 'T1129'],
  },
  {
    rule: 'java.reflection',
    title: 'Calls methods by name (reflection)',
    severity: 'low',
    evidenceType: 'behaviour',
    pattern: /^java\.lang\.(?:reflect\.Method\.invoke|Class\.(?:forName|getDeclaredMethod|getMethod))$/,
    benign: 'Frameworks do this all the time.',
    attack: ['T1027.007'],
  },
  {
    rule: 'java.script-engine',
    title: 'Can run scripts inside',
    severity: 'medium',
    evidenceType: 'behaviour',
    pattern: /^javax\.script\.ScriptEngine/,
    benign: 'Programs with macros have an engine.',
    attack: ['T1059.007'],
  },
  {
    rule: 'java.native-code',
    title: 'Loads native libraries',
    severity: 'low',
    evidenceType: 'behaviour',
    pattern: /^java\.lang\.(?:System|Runtime)\.load(?:Library)?$/,
    benign: 'Databases, graphics and games come with native parts.',
    attack: ['T1129'],
  },
  {
    rule: 'java.network',
    title: 'Connects to a network',
    severity: 'low',
    evidenceType: 'behaviour',
    pattern:
      /^(?:java\.net\.(?:Socket|ServerSocket|DatagramSocket|URL\.open|HttpURLConnection|URLConnection|http\.HttpClient)|okhttp3\.OkHttpClient|org\.apache\.http\.)/,
    benign: 'Most programs do.',
    attack: ['T1071'],
    mbc: ['C0001'],
  },
  {
    rule: 'java.crypto',
    title: 'Encrypts or decrypts',
    severity: 'info',
    evidenceType: 'behaviour',
    pattern: /^javax\.crypto\.(?:Cipher|spec\.SecretKeySpec)/,
    benign: 'Programs protect passwords and connections.',
    attack: ['T1027.013'],
    mbc: ['C0027'],
  },
  {
    rule: 'java.naming',
    title: 'Looks up names that may lead to code on another machine (JNDI, RMI)',
    severity: 'medium',
    evidenceType: 'behaviour',
    pattern: /^(?:javax\.naming\.(?:InitialContext|Context)\.lookup|java\.rmi\.Naming\.lookup)/,
    benign: 'Enterprise programs find their databases this way.',
    attack: ['T1203'],
  },
  {
    rule: 'java.deserialise',
    title: 'Turns bytes into objects',
    severity: 'low',
    evidenceType: 'behaviour',
    pattern: /^java\.io\.ObjectInputStream\.readObject$/,
    benign: 'Old remote protocols and caches do.',
    attack: ['T1203'],
  },
  {
    rule: 'java.input-capture',
    title: 'Can take pictures of the screen, press keys or read the clipboard',
    severity: 'medium',
    evidenceType: 'behaviour',
    pattern: /^java\.awt\.(?:Robot\.|Toolkit\.getSystemClipboard)|^org\.jnativehook\./,
    benign: 'Tools for tests and remote help do.',
    attack: ['T1113', 'T1115', 'T1056.001'],
    mbc: ['E1113'],
  },
];

const androidOnly: readonly Capability[] = [
  {
    rule: 'android.sms',
    title: 'Can send or read text messages',
    severity: 'high',
    evidenceType: 'behaviour',
    pattern: /^android\.telephony\.(?:gsm\.)?Sms(?:Manager\.send|Message\.)/,
    benign: 'Messengers do.',
    attack: ['T1582', 'T1636.004'],
  },
  {
    rule: 'android.device-identity',
    title: 'Reads the identity of the device or the subscriber',
    severity: 'medium',
    evidenceType: 'behaviour',
    pattern:
      /^android\.telephony\.TelephonyManager\.(?:getDeviceId|getImei|getSubscriberId|getLine1Number|getSimSerialNumber)/,
    benign: 'Banking and advertising libraries read them.',
    attack: ['T1426'],
  },
  {
    rule: 'android.accessibility',
    title: 'Acts for the user through the accessibility service',
    severity: 'high',
    evidenceType: 'behaviour',
    pattern:
      /^android\.(?:accessibilityservice\.AccessibilityService\.(?:performGlobalAction|dispatchGesture|getRootInActiveWindow)|view\.accessibility\.AccessibilityNodeInfo\.performAction)/,
    benign: 'Screen readers and password managers do.',
    attack: ['T1453', 'T1516'],
  },
  {
    rule: 'android.overlay',
    title: 'Draws over other programs',
    severity: 'medium',
    evidenceType: 'behaviour',
    pattern: /^android\.view\.WindowManager\.addView$|^android\.provider\.Settings\.canDrawOverlays$/,
    benign: 'Players and chat heads do.',
    attack: ['T1417.002'],
  },
  {
    rule: 'android.device-administrator',
    title: 'Can lock or wipe the device as its administrator',
    severity: 'high',
    evidenceType: 'behaviour',
    pattern: /^android\.app\.admin\.DevicePolicyManager\.(?:lockNow|wipeData|resetPassword)/,
    benign: 'Programs of companies that manage devices do.',
    attack: ['T1626.001', 'T1629.002'],
  },
  {
    rule: 'android.record',
    title: 'Records sound, pictures or the screen',
    severity: 'medium',
    evidenceType: 'behaviour',
    pattern:
      /^android\.media\.(?:MediaRecorder\.start|AudioRecord\.startRecording|projection\.MediaProjection)|^android\.hardware\.Camera\.takePicture/,
    benign: 'Cameras and recorders do.',
    attack: ['T1429', 'T1512', 'T1513'],
  },
  {
    rule: 'android.location',
    title: 'Reads where the device is',
    severity: 'low',
    evidenceType: 'behaviour',
    pattern: /^android\.location\.LocationManager\.(?:requestLocationUpdates|getLastKnownLocation)/,
    benign: 'Maps and weather do.',
    attack: ['T1430'],
  },
  {
    rule: 'android.install',
    title: 'Lists or installs programs',
    severity: 'medium',
    evidenceType: 'behaviour',
    pattern:
      /^android\.content\.pm\.(?:PackageInstaller\b|PackageManager\.(?:getInstalledApplications|getInstalledPackages|setComponentEnabledSetting))/,
    benign: 'Launchers and stores do.',
    attack: ['T1418', 'T1628.001'],
  },
];

export const androidCapabilities: readonly Capability[] = [...javaCapabilities, ...androidOnly];

export function addCapabilities(
  draft: Draft,
  table: readonly Capability[],
  references: Iterable<string>,
  where: string,
): void {
  for (const reference of references) {
    for (const { pattern, ...rule } of table) if (pattern.test(reference)) draft.finding(rule, where, reference);
  }
}
