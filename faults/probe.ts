import { writeHeapSnapshot } from 'node:v8'

// Loaded into the server before it starts: answers what its heap holds after a collection. Needs --expose-gc.

export type Measure = { heapBytes: number; externalBytes: number; residentBytes: number }

process.on('message', (asked: { measure?: true; snapshot?: string }) => {
  if (asked.snapshot) writeHeapSnapshot(asked.snapshot)
  if (!asked.measure) return
  const collect = (globalThis as { gc?: () => void }).gc
  // the second takes what the finalizers of the first let go
  collect?.()
  setTimeout(() => {
    collect?.()
    const { heapUsed, external, rss } = process.memoryUsage()
    process.send?.({ heapBytes: heapUsed, externalBytes: external, residentBytes: rss } satisfies Measure)
  }, 200)
})
process.channel?.unref()
