import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import twilio from 'twilio'
import { readOptions, report } from './options.ts'
import { type Product, until, withProduct } from './product.ts'
import { openSession, type Session } from './session.ts'

const account = { sid: `AC${'a'.repeat(32)}`, token: 'the-token-of-the-account', service: `MG${'b'.repeat(32)}` }

type Taken = { phone: string; callback: URL; atMs: number[] }

/** An SMS provider that takes everything and says yes after a moment, so that a worker can be killed in between; it counts what it took. */
const aProvider = async () => {
  const taken = new Map<string, Taken>()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    // while an answer was lost the product asks for what arrived: this one never says
    if (request.method === 'GET') return response.writeHead(404).end()
    const form = new URLSearchParams(body)
    const callback = new URL(form.get('StatusCallback') ?? '')
    const id = callback.searchParams.get('m') ?? ''
    const one = taken.get(id) ?? { phone: form.get('To') ?? '', callback, atMs: [] }
    one.atMs.push(Date.now())
    taken.set(id, one)
    await sleep(Math.random() * 60)
    response.writeHead(201, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ sid: `SM${randomUUID().replaceAll('-', '')}`, status: 'queued' }))
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return { taken, url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** A zone in which it is about one in the afternoon now: offers by text may leave there. */
const zoneOfNoon = (): string => {
  const ahead = 13 - new Date().getUTCHours()
  // the names of these zones count the other way round
  return ahead === 0 ? 'Etc/UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

/** So many customers who agreed to offers by text and mail, and nobody else who did. */
export const fillAudience = async (product: Product, count: number): Promise<void> => {
  await product.query('update businesses set time_zone = $1', [zoneOfNoon()])
  await product.query('delete from consent_events')
  await product.query(
    `with business as (select business_id from businesses order by created_at limit 1),
      made as (select business_id, n, gen_random_uuid() as id, '+1478' || lpad((2000000 + n)::text, 7, '0') as phone,
        'fault' || n || '@example.com' as email from business, generate_series(1, $1::int) n),
      customers_ as (insert into customers (business_id, id, name, email, phone) select business_id, id, 'Fault ' || n, email, phone from made),
      routes_ as (insert into sms_routes (phone, business_id, at) select phone, business_id, now() from made)
      insert into consent_events (business_id, id, channel, address, purpose, action, source)
        select business_id, gen_random_uuid(), channel, address, 'marketing', 'grant', 'fault'
        from made, lateral (values ('sms', phone), ('email', email)) to_(channel, address)`,
    [count],
  )
  await product.query('analyze')
}

const noWords = { subject: '', subjectB: '', preheader: '', blocks: [], text: '' }
const wordsOf = {
  sms: { ...noWords, text: 'Hi {customer first name}, aeration time. {business name}' },
  email: {
    ...noWords,
    subject: 'Fall aeration for {customer first name}',
    blocks: [
      { kind: 'text', text: 'Hi {customer first name}, it is time. {business name}' },
      { kind: 'button', label: 'Ask for a price', to: 'url', url: 'https://example.com/aeration' },
    ],
  },
}

/** Begins a campaign to everybody of `fillAudience`. */
export const beginCampaign = async (session: Session, channel: 'sms' | 'email'): Promise<string> => {
  const made = await session.ok<{ id: string; version: number }>('POST', '/api/campaigns', {
    name: 'Fault',
    channel,
    content: { en: wordsOf[channel], es: noWords },
    perHour: 5000,
  })
  await session.ok('POST', `/api/campaigns/${made.id}/start`, { version: made.version })
  return made.id
}

/** Takes out the wait between two batches, which is what keeps a campaign's rate: it goes as fast as it can. */
export const hurryCampaign = (product: Product, campaignId: string): (() => Promise<void>) => {
  let stopped = false
  const hurrying = (async () => {
    while (!stopped) {
      await product.query(
        "update campaigns set step_at = null where id = $1 and status = 'running' and sorted_at is not null",
        [campaignId],
      )
      await product.query(`update graphile_worker._private_jobs set run_at = now() where run_at > now() and locked_at is null
        and task_id in (select id from graphile_worker._private_tasks where identifier = 'campaigns.step')`)
      await sleep(100)
    }
  })()
  return async () => {
    stopped = true
    await hurrying
  }
}

/** Posts forms that the provider signed, so many at a time; each until it is taken. */
const postForms = async (base: string, forms: readonly { path: string; form: Record<string, string> }[]) => {
  let next = 0
  const post = async () => {
    for (let at = next++; at < forms.length; at = next++) {
      const { path, form } = forms[at]!
      const signature = twilio.getExpectedTwilioSignature(account.token, `${base}${path}`, form)
      await until('a webhook to be taken', async () => {
        const answer = await fetch(`${base}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature },
          body: new URLSearchParams(form).toString(),
        }).catch(() => null)
        await answer?.arrayBuffer()
        if (answer?.status === 403) throw new Error(`${path} was refused`)
        return answer?.status === 200
      })
    }
  }
  await Promise.all(Array.from({ length: 16 }, post))
}

const shuffle = <T>(list: readonly T[]): T[] =>
  list
    .map((item) => [Math.random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item)

/** What the provider says of a text, and where that ends. */
const stories = [
  { words: ['queued', 'sent', 'delivered'], end: 'delivered' },
  { words: ['accepted', 'queued', 'sent', 'undelivered'], end: 'failed' },
  { words: ['queued', 'sending', 'sent'], end: 'sent' },
  { words: ['sent', 'delivered', 'read'], end: 'delivered' },
] as const

/** Tells so many words about the texts that left, each twice and all of them shuffled. @returns texts that ended elsewhere */
const tellStories = async (product: Product, texts: readonly (readonly [string, Taken])[], count: number) => {
  const each = texts.flatMap(([id, { callback }], n) => {
    const { words } = stories[n % stories.length]!
    return [...words, ...words].map((word) => ({
      path: `${callback.pathname}${callback.search}`,
      form: { MessageSid: `SM-${id}`, MessageStatus: word, ...(word === 'undelivered' ? { ErrorCode: '30008' } : {}) },
    }))
  })
  // every word at least once, then some of them a third and a fourth time
  const forms = [...each]
  while (forms.length < count && each.length > 0) forms.push(each[Math.floor(Math.random() * each.length)]!)
  await postForms(product.base, shuffle(forms))
  await until(
    'the words of the provider to be worked off',
    async () => (await product.query('select 1 from webhook_events where processed_at is null limit 1')).length === 0,
    1_200_000,
  )
  const now = await product.query<{ id: string; status: string }>(
    'select id, status from messages where id = any($1)',
    [texts.map(([id]) => id)],
  )
  const statusOf = new Map(now.map(({ id, status }) => [id, status]))
  return {
    told: forms.length,
    elsewhere: texts.filter(([id], n) => statusOf.get(id) !== stories[n % stories.length]!.end).length,
  }
}

/** Of a few whose text waits or is leaving right now, and of a few whose turn comes later. */
const sendStops = async (product: Product, campaignId: string, count: number): Promise<void> => {
  const rows = await product.query<{ phone: string }>(
    `(select m.address as phone from messages m where m.entity_id = $1 and m.status in ('pending', 'sending')
        and not exists (select from suppressions s where s.address = m.address) limit $2)
     union (select c.phone from campaign_recipients r join customers c on c.business_id = r.business_id and c.id = r.customer_id
        where r.campaign_id = $1 and r.state = 'waiting' and not exists (select from suppressions s where s.address = c.phone) order by random() limit $2)`,
    [campaignId, count],
  )
  await postForms(
    product.base,
    rows.map(({ phone }) => ({
      path: '/api/webhooks/twilio/inbound',
      form: { MessageSid: `SM${randomUUID()}`, From: phone, To: '+18005550100', Body: 'STOP', NumMedia: '0' },
    })),
  )
}

/** A text that was being handed over at the very moment of a STOP is with the provider so soon after it. */
const leavingMs = 2_000

/** What came of all texts of a campaign, by our rows and by what the provider took. */
const lookAtTexts = async (product: Product, campaignId: string, taken: ReadonlyMap<string, Taken>) => {
  const rows = await product.query<{ id: string; status: string }>(
    'select id, status from messages where entity_id = $1',
    [campaignId],
  )
  const stops = await product.query<{ address: string; at: Date }>(
    "select address, at from suppressions where channel = 'sms' and purpose = 'all'",
  )
  const stoppedAt = new Map(stops.map(({ address, at }) => [address, at.getTime()]))
  const [left] = await product.query<{ count: number }>(
    "select count(*)::int as count from campaign_recipients where campaign_id = $1 and state in ('chosen', 'waiting')",
    [campaignId],
  )
  const all = [...taken.values()]
  const byPhone = Map.groupBy(all, ({ phone }) => phone)
  const afterStop = (ms: number) =>
    all.filter(({ phone, atMs }) => atMs.some((at) => at > (stoppedAt.get(phone) ?? Number.POSITIVE_INFINITY) + ms))
      .length
  const counts: Record<string, number> = {}
  for (const { status } of rows) counts[status] = (counts[status] ?? 0) + 1
  const isTaken = ({ id }: { id: string }) => taken.has(id)
  return {
    counts,
    stops: stops.length,
    doubled: all.filter(({ atMs }) => atMs.length > 1).length,
    phonesTwice: [...byPhone.values()].filter((list) => list.length > 1).length,
    afterStop: afterStop(leavingMs),
    handedOverDuringStop: afterStop(0) - afterStop(leavingMs),
    // the provider has it, and we say that it did not leave or will leave
    hidden: rows.filter((row) => isTaken(row) && !['sent', 'delivered', 'unknown'].includes(row.status)).length,
    claimed: rows.filter((row) => !isTaken(row) && ['sent', 'delivered'].includes(row.status)).length,
    unknownTaken: rows.filter((row) => isTaken(row) && row.status === 'unknown').length,
    stillWaiting:
      rows.filter(({ status }) => ['pending', 'held', 'sending'].includes(status)).length + (left?.count ?? 0),
  }
}

/** Two processes of four workers each are eight. */
const processes = 2

/**
 * `npm run faults -- messages [--kills 20] [--writers 2000] [--callbacks 10000]`: a campaign by text to `writers` customers, worked off by eight workers in
 * two processes, one of which is killed again and again between the provider's yes and our word of it, while the campaign is launched anew and people
 * reply STOP. No text leaves twice, none after a STOP, and what may have left is shown as unknown. Then the provider tells what became of them,
 * shuffled and repeated: each ends where its story ends.
 */
export const messages = async (args: string[]): Promise<void> => {
  const options = readOptions(args, { kills: 20, seconds: 1 })
  const count = args.includes('--writers') ? options.writers : 2000
  const provider = await aProvider()
  const env: Record<string, string> = { SWATH_ROLE: 'api' }
  try {
    await withProduct({ env }, async (product) => {
      const session = await openSession(product.base)
      await fillAudience(product, count)
      const campaignId = await beginCampaign(session, 'sms')
      // What the demo has in its outbox is nobody's. From here on it is a business like any other, whose texts really leave.
      await product.query("update messages set status = 'suppressed' where status in ('pending', 'held')")
      await product.query('update businesses set demo = false')
      const server = product.server()
      const ended = new Promise((done) => server.once('close', done))
      server.kill('SIGTERM')
      await ended
      Object.assign(env, {
        SWATH_DEMO: '0',
        PUBLIC_URL: product.base,
        TWILIO_ACCOUNT_SID: account.sid,
        TWILIO_AUTH_TOKEN: account.token,
        TWILIO_MESSAGING_SERVICE_SID: account.service,
        TWILIO_API_URL: provider.url,
      })
      await product.startServer()
      const from = performance.now()
      const workers = Array.from({ length: processes }, () => product.startWorker())
      const rest = hurryCampaign(product, campaignId)
      const [{ business_id: businessId } = { business_id: '' }] = await product.query<{ business_id: string }>(
        'select business_id from campaigns where id = $1',
        [campaignId],
      )
      const relaunch = () =>
        product.query(`select graphile_worker.add_job('campaigns.step', $1::json) from generate_series(1, 5)`, [
          JSON.stringify({ businessId, payload: { campaignId } }),
        ])
      for (let n = 0; n < options.kills; n += 1) {
        const at = n % processes
        const before = provider.taken.size
        await until(
          'the workers to hand texts over',
          () => provider.taken.size > before || provider.taken.size >= count,
        )
        await Promise.all([
          relaunch(),
          sendStops(product, campaignId, 2),
          sleep(options.seconds * 1000 * Math.random()).then(async () => {
            workers[at]!.child.kill('SIGKILL')
            await workers[at]!.ended
            workers[at] = product.startWorker()
          }),
        ])
      }
      const settled = async () => (await lookAtTexts(product, campaignId, provider.taken)).stillWaiting === 0
      await until('every text to be settled', settled, 1_200_000).catch(() => undefined)
      await rest()
      const settledSeconds = Math.round((performance.now() - from) / 100) / 10
      const found = await lookAtTexts(product, campaignId, provider.taken)
      const texts = [...provider.taken].filter(([, { phone }]) => phone.startsWith('+1478'))
      const { told, elsewhere } = await tellStories(product, texts, options.callbacks)
      const again = await lookAtTexts(product, campaignId, provider.taken)
      if (options.log) console.error(product.output())
      const { counts, ...numbers } = found
      report(
        {
          trial: 'messages',
          kills: options.kills,
          asked: count,
          taken: provider.taken.size,
          ...numbers,
          states: JSON.stringify(counts),
          settledSeconds,
          callbacks: told,
          elsewhere,
        },
        [
          found.doubled > 0 && `${found.doubled} texts left twice`,
          found.phonesTwice > 0 && `${found.phonesTwice} numbers got two`,
          found.afterStop > 0 && `${found.afterStop} texts left after a STOP`,
          found.hidden > 0 && `${found.hidden} texts left and are not shown so`,
          found.claimed > 0 && `${found.claimed} texts are said to have left and did not`,
          found.stillWaiting > 0 && `${found.stillWaiting} wait for ever`,
          options.kills > 0 && (counts.unknown ?? 0) === 0 && 'no kill came between the yes and our word of it',
          found.stops === 0 && 'nobody replied STOP',
          elsewhere > 0 && `${elsewhere} texts ended elsewhere`,
          again.doubled > found.doubled && 'a text left twice after all',
        ].filter((text) => text !== false),
        options.json,
      )
    })
  } finally {
    provider.close()
  }
}
