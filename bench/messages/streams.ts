import { type ClientRequest, request } from 'node:http'
import { until } from '../../faults/product.ts'

export type Streams = {
  /** When each stream that heard of a record did, by `performance.now()`. */
  heard: (id: string) => readonly number[]
  close: () => void
}

/** Opens so many streams of events as one person, and notes when each of them hears of which record. */
export const openStreams = async (base: string, headers: Record<string, string>, count: number): Promise<Streams> => {
  const heard = new Map<string, number[]>()
  const requests: ClientRequest[] = []
  let open = 0
  for (let n = 0; n < count; n += 1) {
    let rest = ''
    const known = new Set<string>()
    const stream = request(`${base}/api/events/stream`, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) throw new Error(`a stream was answered with ${response.statusCode}`)
      open += 1
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        const at = performance.now()
        const events = (rest + chunk).split('\n\n')
        rest = events.pop() ?? ''
        for (const event of events)
          for (const id of event.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []) {
            // a record is told of again by what follows from it
            if (known.has(id)) continue
            known.add(id)
            const list = heard.get(id) ?? []
            heard.set(id, list)
            list.push(at)
          }
      })
      response.on('error', () => undefined)
    })
    stream.on('error', () => undefined)
    stream.end()
    requests.push(stream)
    // a hundred at a time: what is measured comes later
    if (n % 100 === 99) await until('streams to open', () => open > n - 100)
  }
  await until('all streams to be open', () => open === count)
  return {
    heard: (id) => heard.get(id) ?? [],
    close: () => {
      for (const stream of requests) stream.destroy()
    },
  }
}
