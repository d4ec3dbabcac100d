import { setTimeout as sleep } from 'node:timers/promises'
import { beginCampaign, fillAudience, hurryCampaign } from '../../faults/messages.ts'
import { until, withProduct } from '../../faults/product.ts'
import { openSession } from '../../faults/session.ts'
import { forgetPeak, lookOn, peakMb, round, share } from '../office.ts'
import { openStreams } from './streams.ts'

/** What all but one of a hundred answers may take, whatever else the product does. */
const aims = { officeP99Ms: 100 }
const quietMs = 10_000

const verdict = (what: string, value: number, aim: number): string =>
  `${what}: ${value} ms, aim ${aim} ms: ${value <= aim ? 'reached' : 'missed'}`

/** A campaign to so many, on a product of its own, as fast as it can while the office goes on. */
const measureCampaign = (count: number) =>
  withProduct({}, async (product) => {
    const session = await openSession(product.base)
    await fillAudience(product, count)
    // the first look of a process that has just started is that of nobody's day
    const first = lookOn(session)
    await sleep(quietMs / 2)
    await first()
    const quiet = lookOn(session)
    await sleep(quietMs)
    const before = await quiet()
    const pid = product.server().pid ?? 0
    forgetPeak(pid)
    const restMb = peakMb(pid)
    const busy = lookOn(session)
    const from = performance.now()
    const campaignId = await beginCampaign(session, 'email')
    const pressed = performance.now() - from
    const rest = hurryCampaign(product, campaignId)
    const isOver = async () =>
      (await product.query("select 1 from campaigns where id = $1 and status = 'running'", [campaignId])).length === 0
    await until('the campaign to be over', isOver, 7_200_000)
    const seconds = (performance.now() - from) / 1000
    await rest()
    const during = await busy()
    const [found] = await product.query<{ status: string; sent: number; doubled: number; missing: number }>(
      `select (select status from campaigns where id = $1) as status,
        (select count(*) from messages where entity_id = $1 and status in ('sent', 'delivered'))::int as sent,
        (select count(*) - count(distinct address) from messages where entity_id = $1)::int as doubled,
        (select count(*) from campaign_recipients r where campaign_id = $1 and state in ('chosen', 'waiting'))::int as missing`,
      [campaignId],
    )
    if (!found) throw new Error('The campaign is gone.')
    const { status, sent, doubled, missing } = found
    return {
      broken: [
        ...before.failed,
        ...during.failed,
        ...(status === 'finished' ? [] : [`the campaign of ${count} is ${status}`]),
        ...(sent === count ? [] : [`${sent} of ${count} left`]),
        ...(doubled === 0 ? [] : [`${doubled} doubled`]),
        ...(missing === 0 ? [] : [`${missing} missing`]),
      ],
      row: {
        recipients: count,
        'first answer ms': round(pressed, 0),
        'all left s': round(seconds),
        'a second': round(sent / seconds),
        'ms each': round((seconds * 1000) / Math.max(1, sent), 2),
        'peak MB': peakMb(pid),
        'MB before': restMb,
        'office quiet p99 ms': share(before.waits, 0.99),
        'office p50 ms': share(during.waits, 0.5),
        'office p99 ms': share(during.waits, 0.99),
        'board p99 ms': share(during.byScreen.board, 0.99),
        'customers p99 ms': share(during.byScreen.customers, 0.99),
        'dashboard p99 ms': share(during.byScreen.dashboard, 0.99),
        'office max ms': share(during.waits, 1),
        'office asked': during.waits.length,
      },
    }
  })

/** So many screens listen while things happen: how long until each of them hears. */
const measureStreams = (count: number, events: number) =>
  withProduct({}, async (product) => {
    const session = await openSession(product.base)
    const pid = product.server().pid ?? 0
    const streams = await openStreams(product.base, session.headers(), count)
    const first = lookOn(session)
    await sleep(quietMs / 2)
    await first()
    forgetPeak(pid)
    const busy = lookOn(session)
    const fromPress: number[] = []
    const fromAnswer: number[] = []
    let missed = 0
    for (let n = 0; n < events; n += 1) {
      const pressed = performance.now()
      const { id } = await session.ok<{ id: string }>('POST', '/api/customers', {
        name: `Heard ${n}`,
        allowDuplicate: true,
      })
      const answered = performance.now()
      await until('all to have heard', () => streams.heard(id).length === count, 10_000).catch(() => undefined)
      const heard = streams.heard(id)
      missed += count - heard.length
      for (const at of heard) {
        fromPress.push(at - pressed)
        fromAnswer.push(Math.max(0, at - answered))
      }
      await sleep(200)
    }
    const during = await busy()
    const peak = peakMb(pid)
    streams.close()
    return {
      broken: [...during.failed, ...(missed === 0 ? [] : [`${missed} times a screen heard nothing`])],
      row: {
        streams: count,
        events,
        'heard after press p50 ms': share(fromPress, 0.5),
        'heard after press p99 ms': share(fromPress, 0.99),
        'heard after answer p50 ms': share(fromAnswer, 0.5),
        'heard after answer p99 ms': share(fromAnswer, 0.99),
        'heard at last ms': share(fromPress, 1),
        'peak MB': peak,
        'office p99 ms': share(during.waits, 0.99),
        'office asked': during.waits.length,
      },
    }
  })

/**
 * `npm run bench -- messages [2000 20000] [--streams 1000] [--events 50] [--json]`: a campaign by mail to so many, each size on a product of its own and
 * without the wait that keeps its rate, while the office goes on; then so many open streams of events, and how long until each hears of a change.
 * Changes of 100 ms are told together, so that less than that is not to be had. `0` as the only size, or `--streams 0`, leaves one of the two out.
 */
export const run = async (args: string[]): Promise<void> => {
  const value = (flag: string, usual: number): number =>
    args.includes(flag) ? Number(args[args.indexOf(flag) + 1]) : usual
  const [streamCount, events] = [value('--streams', 1000), value('--events', 50)]
  const flagged = new Set(['--streams', '--events'].map((flag) => args.indexOf(flag) + 1).filter((at) => at > 0))
  const asked = args.filter((arg, at) => /^\d+$/.test(arg) && !flagged.has(at)).map(Number)
  const counts = (asked.length > 0 ? asked : [2000, 20_000]).filter((count) => count > 0)
  const isJson = args.includes('--json')
  const runs = []
  for (const count of counts) runs.push(await measureCampaign(count))
  const rows = runs.map(({ row }) => row)
  const [first, last] = [rows[0], rows.at(-1)]
  const growth =
    first && last && rows.length > 1
      ? {
          recipients: round(last.recipients / first.recipients, 2),
          'ms each': round(last['ms each'] / first['ms each'], 2),
          'peak MB': round(last['peak MB'] / first['peak MB'], 2),
        }
      : null
  if (!isJson && rows.length > 0) console.table(rows)
  if (!isJson && growth) console.log('Growth, times:', growth)
  const streams = streamCount > 0 ? await measureStreams(streamCount, events) : null
  if (!isJson && streams) console.table([streams.row])
  const said = [
    ...rows.map((row) =>
      verdict(`Office p99 during a campaign to ${row.recipients}`, row['office p99 ms'], aims.officeP99Ms),
    ),
    ...(streams
      ? [verdict(`Office p99 with ${streamCount} open streams`, streams.row['office p99 ms'], aims.officeP99Ms)]
      : []),
  ]
  const broken = [...runs.flatMap((one) => one.broken), ...(streams?.broken ?? [])]
  if (isJson) console.log(JSON.stringify({ rows, growth, streams: streams?.row ?? null, aims, said, broken }))
  else {
    for (const line of said) console.log(line)
    console.log(broken.length === 0 ? 'None missing, none doubled.' : `Broken: ${broken.join('; ')}`)
  }
  if (broken.length > 0) process.exitCode = 1
}
