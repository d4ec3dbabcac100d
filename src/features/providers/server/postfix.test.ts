import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTransport } from 'nodemailer'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { config } from '../../../platform/config.ts'
import { withProspects } from '../../../platform/db/prospects.ts'
import { type Api, runTasks, testServer } from '../../../test/api.ts'
import { anOwner, aProspect } from '../../../test/prospects.ts'
import { deskApi } from '../../desk/contract.ts'

// A real mail server between us and the world, with the transport that docs/operations.md gives: our mail goes out through it, what
// bounces and what is answered comes back through it. Runs where Postfix is installed and may be started.

const run = promisify(execFile)
const postfix = '/usr/sbin/postfix'
const canRun = existsSync(postfix) && existsSync('/usr/bin/curl') && process.getuid?.() === 0
const secret = 'a-secret-of-the-mail-server'
const inbound = 'in.oak.test'

const freePort = (): Promise<number> =>
  new Promise((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => found(port))
    })
  })

/** The mail server of the people we write to. */
const arrived: { to: string[]; raw: string }[] = []
const world = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo: ({ address }, _session, done) =>
    done(address.startsWith('gone@') ? Object.assign(new Error('5.1.1 No such user'), { responseCode: 550 }) : null),
  onData: async (stream, session, done) => {
    let raw = ''
    for await (const chunk of stream) raw += chunk
    arrived.push({ to: session.envelope.rcptTo.map((one) => one.address), raw })
    done()
  },
})

const mainCf = (folder: string, worldPort: number): string => `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.oak.test
mydestination =
local_recipient_maps =
alias_maps =
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_tls_security_level = none
smtp_tls_security_level = none
relayhost = [127.0.0.1]:${worldPort}
virtual_mailbox_domains = ${inbound}
transport_maps = inline:{ ${inbound}=swath: }
`

const masterCf = (port: number, appPort: number): string => `
127.0.0.1:${port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
swath unix - n n - 4 pipe flags=Rq user=nobody argv=/usr/bin/curl -sf --max-time 30 --data-binary @-
  -H {content-type: message/rfc822} -H {authorization: Bearer ${secret}}
  http://127.0.0.1:${appPort}/api/webhooks/mail?to=\${recipient}
`

describe.runIf(canRun)('through Postfix', () => {
  const before = { ...config }
  let folder = ''
  let port = 0
  let owner: Api

  beforeAll(async () => {
    const app = await testServer()
    if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
    const appPort = (app.server.address() as AddressInfo).port
    await new Promise<void>((ready) => world.listen(0, '127.0.0.1', ready))
    port = await freePort()
    folder = await mkdtemp(join(tmpdir(), 'swath-postfix-'))
    await chmod(folder, 0o755)
    for (const name of ['conf', 'queue', 'data']) await mkdir(join(folder, name), { mode: 0o755 })
    await run('chown', ['postfix', join(folder, 'data')])
    await writeFile(join(folder, 'conf/main.cf'), mainCf(folder, (world.server.address() as AddressInfo).port))
    await writeFile(join(folder, 'conf/master.cf'), masterCf(port, appPort))
    await run(postfix, ['-c', join(folder, 'conf'), 'start'])
    // Noon in New York: nothing waits for its hours.
    setClock(() => new Date('2026-06-12T16:00:00Z'))
    await withProspects((db) => db.updateTable('settings').set({ postalAddress: '1 Mill Rd' }).execute())
    Object.assign(config, {
      smtpUrl: `smtp://127.0.0.1:${port}`,
      mailInboundDomain: inbound,
      mailInboundSecret: secret,
    })
    owner = await anOwner()
  }, 60_000)
  afterAll(async () => {
    await run(postfix, ['-c', join(folder, 'conf'), 'stop']).catch(() => undefined)
    world.close()
    Object.assign(config, before)
    resetClock()
    await rm(folder, { recursive: true, force: true })
  })

  const mailsOf = async (leadId: string) => {
    await runTasks()
    return (await owner.ok(deskApi.emails, { params: { leadId } })).emailMessages
  }
  const writeTo = async (email: string) => {
    const leadId = await aProspect({ name: 'Dana Whitfield', email })
    await owner.ok(deskApi.sendEmail, { params: { leadId }, body: { subject: 'Routes', message: 'Look at this.' } })
    await runTasks()
    return leadId
  }
  const patience = { timeout: 20_000, interval: 200 }

  it('a mail arrives whole, and its answer stands in the conversation', async () => {
    const email = 'dana@postfix-oak.test'
    const leadId = await writeTo(email)
    await expect.poll(() => arrived.filter((one) => one.to.includes(email)).length, patience).toBe(1)
    const raw = arrived.find((one) => one.to.includes(email))?.raw ?? ''
    expect(raw).toMatch(/by mx\.oak\.test \(Postfix\)/)
    expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    const replyTo = /^Reply-To:\s[^@]*?(reply\+[0-9a-f.]+@in\.oak\.test)/m.exec(raw)?.[1] ?? ''
    expect(replyTo).not.toBe('')
    const answer = { from: email, to: replyTo, subject: 'Re: Routes', text: 'Tuesday works.\n\n> Look at this.' }
    await createTransport({ host: '127.0.0.1', port, ignoreTLS: true }).sendMail(answer)
    await expect
      .poll(async () => (await mailsOf(leadId)).map((mail) => [mail.direction, mail.message]), patience)
      .toContainEqual(['inbound', 'Tuesday works.'])
    expect((await mailsOf(leadId)).find((mail) => mail.direction === 'outbound')).toMatchObject({ failed: false })
  }, 60_000)

  it('a mail that nobody takes comes back as failed, and the address is shut', async () => {
    const leadId = await writeTo('gone@postfix-oak.test')
    await expect.poll(async () => (await mailsOf(leadId))[0]?.failed, patience).toBe(true)
    expect((await mailsOf(leadId))[0]?.reason).toBe('550 5.1.1 No such user')
    const again = await owner.call(deskApi.sendEmail, { params: { leadId }, body: { subject: 'Again', message: 'Hi' } })
    expect([again.status, again.error.message]).toEqual([409, 'Mail to this address came back. Nothing was sent.'])
    expect(arrived.some((one) => one.to.includes('gone@postfix-oak.test'))).toBe(false)
  }, 60_000)
})
