import type { KindId } from '../kinds.ts';

/** Turns of phrase by which a script is told from others. Each counts once; the points of a kind are added up. */

export interface Idiom {
  readonly kind: KindId;
  readonly points: number;
  /** Bounded repetition only, so that each is linear in the text. */
  readonly pattern: RegExp;
}

const of = (kind: KindId, rows: readonly (readonly [number, RegExp])[]): readonly Idiom[] =>
  rows.map(([points, pattern]) => ({ kind, points, pattern }));

export const leastPoints = 3;

export const idioms: readonly Idiom[] = [
  ...of('javascript', [
    [2, /\b(?:var|let|const) {1,8}[\w$]{1,40} {0,8}=/],
    [2, /\bfunction\b[ \t]{0,8}[\w$]{0,40}[ \t]{0,8}\([\w$, ]{0,80}\)\s{0,8}\{/],
    [2, /=>\s{0,4}[{(]/],
    [3, /\b(?:require\(['"]|module\.exports\b|export default\b)/],
    [3, /^[ \t]{0,20}import [^\n]{1,120} from ['"]/m],
    [4, /\bnew ActiveXObject\s{0,4}\(/],
    [1, /\bWScript\.(?:CreateObject|Shell|Echo|Sleep|Quit|ScriptFullName)/i],
    [1, /\b(?:eval|setTimeout)\(/],
    [2, /\bdocument\.(?:write|getElementById|cookie|createElement|location)/],
    [3, /\bString\.fromCharCode\b/],
    [2, /\b(?:unescape|decodeURIComponent|parseInt|atob)\(/],
    [2, /\b(?:JSON\.(?:parse|stringify)|console\.log)\(/],
    [1, /[=!]==/],
    [1, /\btry\s{0,4}\{/],
    [3, /\b_0x[0-9a-f]{4,6}\b/],
    [2, /\bthis\.[\w$]{1,40} {0,4}=/],
  ]),
  ...of('vbscript', [
    [2, /^[ \t]{0,20}Dim[ \t]{1,8}\w/im],
    [2, /\bCreateObject[ \t]{0,4}\(?[ \t]{0,4}["\w]/],
    [3, /^[ \t]{0,20}On Error Resume Next/im],
    [3, /\bEnd (?:Sub|Function|If|With)\b/i],
    [3, /^[ \t]{0,20}Set[ \t]{1,8}\w{1,60}[ \t]{0,8}=[ \t]{0,8}(?:CreateObject|GetObject|New |WScript)/im],
    [2, /\bExecute(?:Global)?[ \t(]/],
    [2, /\bChrW?\(\s{0,4}(?:&H)?\d/i],
    [2, /\bMsgBox\b/i],
    [4, /^Attribute VB_Name/m],
    [1, /\bWScript\./i],
    [3, /\bvbCrLf\b/i],
    [3, /^[ \t]{0,20}(?:Private |Public )?Sub[ \t]{1,8}\w{1,60}[ \t]{0,8}\(/im],
    [1, /^[ \t]{0,20}Option Explicit/im],
  ]),
  ...of('powershell', [
    [
      3,
      /\b(?:Get|Set|New|Invoke|Write|Start|Stop|Add|Remove|Import|Export|Out|Test|Select|Where|ForEach|ConvertTo|ConvertFrom|Expand|Register|Set)-[A-Z][A-Za-z]{2,30}\b/,
    ],
    [3, /\[(?:System\.|Convert|Text\.Encoding|Reflection|Net\.|IO\.|byte|char|string|int|Runtime)[\w.[\]]{0,60}\]::/i],
    [2, /^[ \t]{0,20}param[ \t]{0,8}\(/im],
    [1, /[ \t]-(?:eq|ne|like|match|join|replace|split|bxor|f)\b/i],
    [2, /(?:^|[\s|;(&])IEX\b/i],
    [2, /\bNew-Object\b/i],
    [3, /\$env:\w/i],
    [1, /\$_\b/],
    [2, /[ \t]-(?:EncodedCommand|ExecutionPolicy|WindowStyle|NoProfile)\b/i],
    [1, /^[ \t]{0,20}\$\w{1,40}[ \t]{0,8}=/m],
    [2, /\[CmdletBinding\(/i],
    [2, /\$(?:true|false|null)\b/i],
  ]),
  ...of('batch', [
    [4, /^[ \t]{0,20}@?echo[ \t]{1,4}off\b/im],
    [2, /^[ \t]{0,20}@?set[ \t]{1,8}(?:\/[ap][ \t]{1,8})?"?\w{1,40}=/im],
    [1, /%(?:~?[dpnxfs]{0,4}[0-9]|\w{2,30}%)/i],
    [2, /^[ \t]{0,20}goto[ \t]{1,8}:?\w/im],
    [1, /^:\w{1,40}[ \t]{0,8}\r?$/m],
    [2, /^[ \t]{0,20}(?:rem[ \t]|::)/im],
    [2, /\bif[ \t]{1,8}(?:not[ \t]{1,8})?(?:exist|errorlevel|defined)\b/i],
    [2, />[ \t]{0,4}nul\b/i],
    [
      2,
      /^[ \t]{0,20}@?(?:cmd|start|reg|schtasks|copy|del|taskkill|attrib|wscript|cscript|certutil|bitsadmin|powershell|rundll32)(?:\.exe)?[ \t]{1,4}[/"%\w-]/im,
    ],
    [2, /\bsetlocal\b/i],
  ]),
  ...of('shell', [
    [3, /^[ \t]{0,40}(?:fi|done|esac)\b[ \t]{0,8}(?:$|[;#|&>])/m],
    [2, /;[ \t]{0,8}(?:then|do)[ \t]{0,8}$/m],
    [1, /\$\([a-z]/],
    [2, /^[ \t]{0,20}export[ \t]{1,8}\w{1,40}=/m],
    [3, /\bif \[{1,2} /],
    [2, /^[ \t]{0,20}(?:curl|wget)[ \t]{1,4}[-h]/m],
    [2, /\bchmod[ \t]{1,4}(?:[ugoa]{0,4}\+[rwxs]|[0-7]{3,4})/],
    [1, /\/dev\/null\b/],
    [1, /^[ \t]{0,20}(?:sudo|apt-get|yum|rm|cp|mv|mkdir|cd|nohup|crontab|echo)[ \t]/m],
    [2, /\b(?:bash|sh)[ \t]{1,4}-[ci]\b/],
    [3, /\/dev\/tcp\//],
    [2, /\|[ \t]{0,4}(?:ba|da|z)?sh\b/],
  ]),
  ...of('python', [
    [
      2,
      /^[ \t]{0,40}import[ \t]{1,4}[a-z_][\w.]{0,60}(?:[ \t]{0,4},[ \t]{0,4}[a-z_][\w.]{0,60}){0,12}(?: as \w{1,40})?[ \t]{0,8}\r?$/m,
    ],
    [4, /^[ \t]{0,40}from[ \t]{1,4}[\w.]{1,80}[ \t]{1,4}import[ \t]/m],
    [3, /^[ \t]{0,80}(?:async )?def[ \t]{1,4}\w{1,80}\([^\n]{0,300}:[ \t]{0,8}(?:#|\r?$)/m],
    [2, /^class[ \t]{1,4}\w{1,80}[^\n{]{0,120}:[ \t]{0,8}\r?$/m],
    [3, /\b__(?:name|import|init|main|file)__\b/],
    [2, /^[ \t]{0,80}(?:try|else|finally|except [\w. ]{1,60}|elif [^\n]{1,200}):[ \t]{0,8}\r?$/m],
    [1, /\bprint\(/],
    [1, /\bself\.\w/],
    [1, /\b(?:exec|eval|compile)\(/],
    [2, /\bb64decode\(/],
  ]),
  ...of('perl', [
    [4, /^[ \t]{0,20}use[ \t]{1,4}(?:strict|warnings|utf8|v?5)\b/m],
    [3, /\bmy[ \t]{0,4}[$@%(]/],
    [3, /^[ \t]{0,20}sub[ \t]{1,4}\w{1,60}[ \t]{0,4}\{/m],
    [2, /=~[ \t]{0,4}(?:[msy]\W|tr\W|\/)/],
    [3, /\buse[ \t]{1,4}[A-Z]\w{0,40}(?:::\w{1,40}){1,6}/],
    [2, /^package[ \t]{1,4}[\w:]{1,80};/m],
  ]),
  ...of('php', [
    [8, /<\?php\b/i],
    [5, /<\?=/],
    [3, /\$_(?:GET|POST|REQUEST|SERVER|COOKIE|FILES)\b/],
  ]),
  ...of('ruby', [
    [3, /^[ \t]{0,20}require(?:_relative)?[ \t]{1,4}['"]/m],
    [2, /^[ \t]{0,80}end[ \t]{0,8}\r?$/m],
    [2, /^[ \t]{0,80}puts[ \t]/m],
    [3, /\.each(?:_\w{1,20})?[ \t]{1,4}(?:do|\{)[ \t]{0,4}\|/],
    [2, /^[ \t]{0,20}module[ \t]{1,4}[A-Z]/m],
    [3, /\battr_(?:accessor|reader|writer)\b/],
    [1, /^[ \t]{0,40}def[ \t]{1,4}[\w.?!]{1,60}(?:\([^\n)]{0,120}\))?[ \t]{0,8}\r?$/m],
  ]),
  ...of('autoit', [
    [6, /^[ \t]{0,20}#include[ \t]{0,8}<\w{1,60}\.au3>/im],
    [4, /^[ \t]{0,20}(?:Local|Global)[ \t]{1,8}(?:Const[ \t]{1,8})?\$\w/im],
    [4, /^[ \t]{0,20}Func[ \t]{1,8}\w{1,60}\(/im],
    [4, /^[ \t]{0,20}EndFunc\b/im],
    [4, /^[ \t]{0,20}#(?:NoTrayIcon|AutoIt3Wrapper|RequireAdmin)/im],
  ]),
  ...of('text', [
    [5, /^```/m],
    [4, /\[[^\]\n]{1,80}\]\((?:https?:|\.{0,2}\/)/],
    [2, /^#{2,6} [A-Z]/m],
  ]),
];
