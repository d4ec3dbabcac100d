import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { readOptions, report } from './options.ts'
import { until, withProduct } from './product.ts'
import { openSession, type Session } from './session.ts'

/** A mail server that takes everything after a moment, so that a worker can be killed in the middle of handing over, and counts. */
const aMailServer = async () => {
  const taken = new Map<string, number>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      stream.on('end', () => {
        const id = /^Message-ID:\s*<([^@>]+)@/im.exec(text)?.[1] ?? 'none'
        taken.set(id, (taken.get(id) ?? 0) + 1)
        setTimeout(done, Math.random() * 100)
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.server.address() as AddressInfo
  return {
    taken,
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise<void>((done) => server.close(() => done())),
  }
}

const queueMails = async (session: Session, going: () => boolean, queued: string[]): Promise<void> => {
  const customer = await session.ok<{ id: string }>('POST', '/api/customers', {
    name: 'Fault Mail',
    email: 'fault@example.com',
    allowDuplicate: true,
  })
  while (going()) {
    const mail = { subject: `Fault ${queued.length}`, text: 'Is it there?' }
    queued.push((await session.ok<{ id: string }>('POST', `/api/customers/${customer.id}/emails`, mail)).id)
    await sleep(50)
  }
}

/**
 * `npm run faults -- worker`: the worker is killed while it hands mail over. Each mail has to end as sent, failed or unknown (cut off in the middle: a
 * person decides), never waiting for ever; one that is sent has been taken by the mail server, and none is taken twice.
 */
export const worker = async (args: string[]): Promise<void> => {
  const options = readOptions(args, { kills: 10, seconds: 3 })
  const mailServer = await aMailServer()
  try {
    await withProduct({ env: { SWATH_ROLE: 'api', SMTP_URL: mailServer.url } }, async (product) => {
      const session = await openSession(product.base)
      const queued: string[] = []
      let going = true
      const writing = queueMails(session, () => going, queued)
      for (let n = 0; n < options.kills; n += 1) {
        const { child, ended } = product.startWorker()
        const before = mailServer.taken.size
        await until('the worker to hand mail over', () => mailServer.taken.size > before)
        await sleep(options.seconds * 1_000 * Math.random())
        child.kill('SIGKILL')
        await ended
      }
      going = false
      await writing
      const lastKill = performance.now()
      product.startWorker()
      const statesOf = () =>
        product.query<{ id: string; status: string }>('select id, status from messages where id = any($1)', [queued])
      const open = (status: string): boolean => ['pending', 'sending', 'queued'].includes(status)
      await until('every mail to be settled', async () => !(await statesOf()).some(({ status }) => open(status))).catch(
        () => undefined,
      )
      const settledSeconds = Math.round((performance.now() - lastKill) / 100) / 10
      if (options.log) console.error(product.output())
      const states = await statesOf()
      const counts: Record<string, number> = {}
      for (const { status } of states) counts[status] = (counts[status] ?? 0) + 1
      const lost = states.filter(
        ({ id, status }) => ['sent', 'delivered'].includes(status) && !mailServer.taken.has(id),
      )
      const doubled = queued.filter((id) => (mailServer.taken.get(id) ?? 0) > 1)
      const waiting = states.filter(({ status }) => open(status))
      const missing = queued.length - states.length
      report(
        {
          trial: 'worker',
          kills: options.kills,
          acknowledged: queued.length,
          lost: lost.length + missing,
          doubled: doubled.length,
          stillWaiting: waiting.length,
          states: JSON.stringify(counts),
          secondsUntilAllSettled: settledSeconds,
        },
        [
          lost.length + missing > 0 && `${lost.length + missing} mails lost`,
          doubled.length > 0 && `${doubled.length} mails doubled`,
          waiting.length > 0 && `${waiting.length} mails wait for ever`,
        ].filter((text) => text !== false),
        options.json,
      )
    })
  } finally {
    await mailServer.close()
  }
}
