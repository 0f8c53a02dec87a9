import { byNumber, numberOf } from '../seccomp-notify/numbers.ts';
import { type ResultCall, resultCalls } from './calls.ts';
import { type Marks, recordTypes } from './records.ts';

/**
 * What bpftrace runs in the kernel. The processes of a box are those in `@tree`: the first is put there when Hotcell asks
 * for its priority right after that of a process which cannot be, the key, and every child of one in it follows. Each
 * witness has a key of its own, so that several can stand side by side.
 *
 * A call that a seccomp filter refuses has a way out (`sys_exit`) but none in (`sys_enter`): that is how it is known.
 */

export interface ScriptOptions {
  /** Hotcell's own process. */
  readonly watcher: number;
  readonly key: number;
  readonly marks: Marks;
  /** Files that were opened are not told of; those that could not be are. */
  readonly skipsOpened: boolean;
}

const threadFlag = 0x10000;
/** Of `struct sockaddr`, in words of 64 bits; enough for IPv6. */
export const addressWords = 4;

const parent = 'curtask->real_parent->tgid';

function argument(at: number): string {
  return `(uint64)args->args[${at}]`;
}

/** Keeps what is needed when the call comes back; by then the kernel has read what the pointers point to. */
function keep(number: number, { first, second, extra, isExtraBehind }: ResultCall): string {
  // One more than the address: zero means that there is none, and a target may well give a null pointer.
  const kept = [`@first[tid] = ${argument(first)} + 1;`];
  if (second !== undefined) kept.push(`@second[tid] = ${argument(second)} + 1;`);
  if (extra !== undefined) {
    const value = argument(extra);
    kept.push(`@extra[tid] = ${isExtraBehind === true ? `*(uint64 *)uptr(${value})` : value};`);
  }
  return `  if (args->id == ${number}) { ${kept.join(' ')} }`;
}

function notOpened(): string {
  const calls = [...byNumber(resultCalls)].filter(([, { kind }]) => kind === 'open');
  return `(args->ret < 0 || (${calls.map(([number]) => `args->id != ${number}`).join(' && ')}))`;
}

export function witnessScript({ watcher, key, marks, skipsOpened }: ScriptOptions): string {
  const { text, end } = marks;
  const print = (type: string, format: string, values: string, texts: readonly string[] = []): string => {
    const strings = texts.map(() => `${text}%s`).join('');
    return `printf("${type} ${format}${strings}${end}\\n", ${[values, ...texts].join(', ')});`;
  };
  const { adopted, lastReady, forked, became, ended, refused, firstName, address, returned } = recordTypes;
  const words = Array.from({ length: addressWords }, (_, at) => `*(uint64 *)uptr($first + ${8 * at})`).join(', ');
  return `BEGIN {
  @tree[0] = (uint64)0; @entered[0] = (uint64)0; @first[0] = (uint64)0; @second[0] = (uint64)0; @extra[0] = (uint64)0;
  @called[0] = (uint64)0;
  printf("${end}\\n");
}
tracepoint:syscalls:sys_enter_getpriority /pid == ${watcher}/ {
  $isCalled = @called[tid];
  @called[tid] = (uint64)(args->who == ${key});
  if ($isCalled == 1 && args->who != ${key}) {
    if (args->who != ${watcher}) { @tree[args->who] = (uint64)1; @entered[args->who] = (uint64)1; }
    ${print(adopted, '%llu %d', 'nsecs, args->who')}
  }
}
tracepoint:task:task_newtask /@tree[pid]/ {
  if ((args->clone_flags & ${threadFlag}) == 0) {
    @tree[args->pid] = (uint64)1;
    ${print(forked, '%llu %d %d', 'nsecs, args->pid, pid', ['comm'])}
  }
}
tracepoint:sched:sched_process_exec /@tree[pid]/ {
  delete(@first[args->old_pid]);
  ${print(became, '%llu %d %d', `nsecs, pid, ${parent}`, ['comm', 'str(args->filename)'])}
}
tracepoint:raw_syscalls:sys_enter /@tree[pid]/ {
  @entered[tid] = (uint64)1;
${[...byNumber(resultCalls)].map(([number, call]) => keep(number, call)).join('\n')}
}
tracepoint:raw_syscalls:sys_exit /@tree[pid]/ {
  $entered = @entered[tid];
  @entered[tid] = (uint64)0;
  if ($entered == 0 && (args->ret == -1 || args->ret == -13)) {
    ${print(refused, '%llu %d %d %d %lld', `nsecs, pid, ${parent}, args->id, args->ret`, ['comm'])}
  }
  $first = @first[tid];
  if ($first != 0) { delete(@first[tid]); }
  if ($first != 0 && ${skipsOpened ? notOpened() : '1'}) {
    $first = $first - 1;
    $second = @second[tid];
    $last = $first;
    if (args->id == ${numberOf('connect')}) {
      ${print(address, '%d %llx %llx %llx %llx', `tid, ${words}`)}
      $last = $first + 2;
    }
    if ($second != 0) {
      delete(@second[tid]);
      ${print(firstName, '%d', 'tid', ['str($first)'])}
      $last = $second - 1;
    }
    ${print(returned, '%llu %d %d %d %d %lld %lld', `nsecs, pid, ${parent}, tid, args->id, args->ret, @extra[tid]`, [
      'comm',
      'str($last)',
    ])}
  }
}
tracepoint:sched:sched_process_exit /@tree[pid]/ {
  delete(@entered[tid]); delete(@first[tid]); delete(@second[tid]); delete(@extra[tid]);
  if (curtask->signal->live.counter == 0) {
    $group = curtask->signal->group_exit_code;
    $code = $group != 0 ? $group : curtask->exit_code;
    ${print(ended, '%llu %d %d %d', `nsecs, pid, ${parent}, $code`, ['comm'])}
    delete(@tree[pid]);
  }
}
tracepoint:syscalls:sys_enter_getpriority /pid == ${watcher}/ {
  if (args->who == ${key}) { ${print(lastReady, '%llu %d', 'nsecs, pid')} }
}
END { clear(@tree); clear(@entered); clear(@first); clear(@second); clear(@extra); clear(@called); }
`;
}
