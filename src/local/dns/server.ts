import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import type { Answer, DecodedPacket, Packet } from 'dns-packet'

/** What stands under a name, or that the server has trouble with it. */
export type Records = readonly { type: 'TXT' | 'CNAME'; value: string }[] | 'trouble'
export type Zone = (name: string) => Promise<Records>

export type NameServer = {
  /** Address and port, as a resolver takes it. */ address: string
  close: () => Promise<void>
}

const host = '127.0.0.1'
/** What a question without EDNS may be answered with by UDP. */
const plainBytes = 512
/** A string of a TXT record holds so many bytes; a longer text stands in several of them. */
const stringBytes = 255
const mostLinks = 8
const [nameError, serverFailure] = [3, 2]

const stringsOf = (text: string): Buffer[] => {
  const bytes = Buffer.from(text)
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += stringBytes) parts.push(bytes.subarray(at, at + stringBytes))
  return parts
}

/** The records that answer a question, by way of the names that stand for others. */
const follow = async (zone: Zone, asked: string, type: string): Promise<{ answers: Answer[]; code: number }> => {
  const answers: Answer[] = []
  let name = asked
  for (let link = 0; link < mostLinks; link++) {
    const records = await zone(name.toLowerCase().replace(/\.$/, ''))
    if (records === 'trouble') return { answers: [], code: serverFailure }
    const alias = records.find((one) => one.type === 'CNAME')
    if (alias && type !== 'CNAME') {
      answers.push({ name, type: 'CNAME', ttl: 0, data: alias.value })
      name = alias.value
      continue
    }
    for (const one of records)
      if (one.type === type)
        answers.push(
          one.type === 'TXT'
            ? { name, type: 'TXT', ttl: 0, data: stringsOf(one.value) }
            : { name, type: 'CNAME', ttl: 0, data: one.value },
        )
    return { answers, code: records.length === 0 && answers.length === 0 ? nameError : 0 }
  }
  return { answers: [], code: serverFailure }
}

const roomOf = ({ additionals = [] }: Packet): number => {
  const opt = additionals.find((one) => one.type === 'OPT')
  return Math.max(plainBytes, opt?.type === 'OPT' ? opt.udpPayloadSize : 0)
}

/** A name server on loopback: UDP, and TCP for what does not fit. It knows what the zone says and asks nobody else. */
export const startNameServer = async (zone: Zone): Promise<NameServer> => {
  // loaded by the first look: a server that asks others never carries it
  const wire = await import('dns-packet')
  const reply = async (question: DecodedPacket, room: number | null): Promise<Buffer> => {
    const asked = question.questions?.[0]
    const base = { type: 'response' as const, id: question.id ?? 0, questions: question.questions ?? [] }
    const { answers, code } = asked
      ? await follow(zone, asked.name, asked.type).catch(() => ({ answers: [], code: serverFailure }))
      : { answers: [], code: serverFailure }
    const flags = wire.AUTHORITATIVE_ANSWER | wire.RECURSION_DESIRED | wire.RECURSION_AVAILABLE | code
    const whole = wire.encode({ ...base, flags, answers })
    return room === null || whole.length <= room
      ? whole
      : wire.encode({ ...base, flags: flags | wire.TRUNCATED_RESPONSE, answers: [] })
  }
  const udp = createSocket('udp4')
  udp.on('message', (bytes, from) => {
    try {
      const question = wire.decode(bytes)
      void reply(question, roomOf(question)).then((answer) => udp.send(answer, from.port, from.address))
    } catch {
      // what is no question gets no answer
    }
  })
  const tcp = createServer((socket) => {
    let read = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (piece) => {
      read = Buffer.concat([read, piece])
      while (read.length >= 2 && read.length >= 2 + read.readUInt16BE(0)) {
        const end = 2 + read.readUInt16BE(0)
        const bytes = read.subarray(2, end)
        read = read.subarray(end)
        try {
          void reply(wire.decode(bytes), null).then((answer) => {
            const length = Buffer.alloc(2)
            length.writeUInt16BE(answer.length)
            socket.write(Buffer.concat([length, answer]))
          })
        } catch {
          socket.destroy()
          return
        }
      }
    })
  })
  await new Promise<void>((ready, failed) => {
    udp.once('error', failed)
    udp.bind(0, host, ready)
  })
  const { port } = udp.address()
  await new Promise<void>((ready, failed) => {
    tcp.once('error', failed)
    tcp.listen(port, host, ready)
  })
  // it keeps no process alive
  udp.unref()
  tcp.unref()
  return {
    address: `${host}:${port}`,
    close: async () => {
      await Promise.all([
        new Promise<void>((done) => udp.close(() => done())),
        new Promise<void>((done) => tcp.close(() => done())),
      ])
    },
  }
}
