/** CPU milliseconds of this thread alone, so that other work on the machine and the compiler's threads do not count. */
export function threadMilliseconds(): number {
  const used = process.threadCpuUsage()
  return (used.user + used.system) / 1000
}
