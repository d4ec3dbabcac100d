import { setTimeout as sleep } from 'node:timers/promises'
import { readOptions, report } from './options.ts'
import { type Product, until, withProduct } from './product.ts'
import { openSession } from './session.ts'

export type Batch = { batchId: string; status: string; done: number; total: number }

/** So many customers, each with an address for mail and one finished visit, beside what the demo has. */
export const finishWork = async (product: Product, count: number): Promise<void> => {
  await product.query(
    `with business as (select business_id from businesses order by created_at limit 1),
      line as (select l.business_id, l.service_id from job_lines l join business b using (business_id) limit 1),
      made as (select b.business_id, n, gen_random_uuid() as customer, gen_random_uuid() as property, gen_random_uuid() as job,
        gen_random_uuid() as job_line, gen_random_uuid() as visit from business b, generate_series(1, $1::int) n),
      customers_ as (insert into customers (business_id, id, name, email) select business_id, customer, 'Fault ' || n, 'fault' || n || '@example.com' from made),
      properties_ as (insert into properties (business_id, id, customer_id, street, city, state, zip)
        select business_id, property, customer, n || ' Fault St', 'Savannah', 'GA', '31401' from made),
      jobs_ as (insert into jobs (business_id, id, number, customer_id, property_id, title, start_on)
        select business_id, job, 900000 + n, customer, property, 'Fault', current_date - 3 from made),
      lines_ as (insert into job_lines (business_id, id, job_id, service_id, unit_price_cents, once_on)
        select m.business_id, job_line, job, line.service_id, 5500, current_date - 3 from made m, line),
      visits_ as (insert into visits (business_id, id, job_id, customer_id, property_id, occurrence_on, day, status, budget_minutes, price_cents)
        select business_id, visit, job, customer, property, current_date - 3, current_date - 3, 'completed', 30, 5500 from made)
      insert into visit_lines (business_id, id, visit_id, job_line_id, service_id, description, unit_price_cents, budget_minutes)
        select m.business_id, gen_random_uuid(), visit, job_line, line.service_id, 'Mowing', 5500, 30 from made m, line`,
    [count],
  )
  await product.query('analyze')
}

/** Until everybody of a batch who has an address was mailed, or somebody else says what is missing. A text that is held until the morning is not waited for. */
export const untilMailed = (product: Product, batchId: string): Promise<void> => {
  const open = `select 1 from invoices i where i.batch_id = $1 and exists (select from customers c where c.business_id = i.business_id
      and c.id = i.customer_id and c.email is not null)
    and not exists (select from messages m where m.business_id = i.business_id and m.customer_id = i.customer_id
      and m.created_at >= i.created_at and (m.channel = 'sms' or m.status in ('sent', 'delivered', 'unknown', 'failed', 'suppressed'))) limit 1`
  return until('the mails', async () => (await product.query(open, [batchId])).length === 0, 1_200_000).catch(
    () => undefined,
  )
}

const promises = ['missing', 'doubled', 'gaps', 'unissued', 'notMailedOnce'] as const
type Found = Record<(typeof promises)[number] | 'invoices', number>

/** What is wrong with a batch over the work of `finishWork`: all of it has one invoice and one mail, the numbers have no gap. */
export const lookAtBatch = async (product: Product, batchId: string): Promise<{ found: Found; broken: string[] }> => {
  const [found] = await product.query<Found>(
    `select (select count(*) from visits v join customers c on c.business_id = v.business_id and c.id = v.customer_id
        where c.name like 'Fault %' and v.invoice_id is null)::int as missing,
      (select coalesce(sum(n - 1), 0) from (select count(*) as n from invoice_lines l join invoices i on i.business_id = l.business_id
        and i.id = l.invoice_id where i.batch_id = $1 and l.visit_line_id is not null group by l.visit_line_id) x)::int as doubled,
      (select count(*) from invoices where batch_id = $1)::int as invoices,
      (select max(number) - min(number) + 1 - count(*) from invoices where batch_id = $1)::int as gaps,
      (select count(*) from invoices where batch_id = $1 and status = 'draft')::int as unissued,
      (select count(*) from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id
        where i.batch_id = $1 and c.name like 'Fault %' and (select count(*) from messages m where m.business_id = i.business_id
        and m.customer_id = c.id) <> 1)::int as "notMailedOnce"`,
    [batchId],
  )
  if (!found) throw new Error('The batch is gone.')
  return { found, broken: promises.flatMap((what) => (found[what] > 0 ? [`${found[what]} ${what}`] : [])) }
}

/** Bills, issues and mails so many finished visits in one batch, while the server is killed in the middle. */
export const tryBatch = (count: number, { kills, seconds }: { kills: number; seconds: number }) =>
  withProduct({}, async (product) => {
    const session = await openSession(product.base)
    await finishWork(product, count)
    const from = performance.now()
    const batch = await session.ok<Batch>('POST', '/api/invoices/batch', { send: true })
    const state = async () =>
      (await session.send('GET', `/api/invoices/batches/${batch.batchId}`))?.body as Batch | undefined
    const steps = new Set<number>([batch.done])
    for (let n = 0; n < kills; n += 1) {
      await sleep(seconds * 1000 * Math.random())
      const server = product.server()
      const ended = new Promise((done) => server.once('close', done))
      server.kill('SIGKILL')
      await ended
      await product.startServer()
      const { done } = (await state()) ?? {}
      if (done !== undefined) steps.add(done)
    }
    await until('the batch to be done', async () => {
      const now = await state()
      if (now) steps.add(now.done)
      return now?.status === 'done'
    })
    const madeSeconds = Math.round((performance.now() - from) / 100) / 10
    await untilMailed(product, batch.batchId)
    const { found, broken } = await lookAtBatch(product, batch.batchId)
    return {
      result: { trial: 'invoices', kills, madeSeconds, progressSeen: steps.size, ...found },
      broken: [...broken, ...(steps.size < 3 ? ['no progress was seen'] : [])],
      output: product.output(),
    }
  })

/**
 * `npm run faults -- invoices [--kills 3] [--seconds 2] [--writers 400]`: `writers` finished visits are billed, issued and mailed in one batch, and
 * the server is killed in the middle. In the end each has one invoice and one mail, the numbers have no gap, and progress was seen.
 */
export const invoices = async (args: string[]): Promise<void> => {
  const options = readOptions(args, { kills: 3, seconds: 2 })
  const count = args.includes('--writers') ? options.writers : 400
  const { result, broken, output } = await tryBatch(count, options)
  report(result, broken, options.json)
  if (options.log) console.error(output)
}
