import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { linkToken } from '../../../platform/links.ts'
import { addDays } from '../../../shared/dates.ts'
import { runTasks, stranger } from '../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aLawn, today } from '../../../test/field.ts'
import { readPdf } from '../../../test/papers.ts'
import { businessesApi } from '../../businesses/contract.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { jobsApi } from '../../jobs/contract.ts'
import { programsApi } from '../../jobs/programs/contract.ts'
import { messagesApi } from '../../messages/contract.ts'
import { notificationsApi } from '../../notifications/contract.ts'
import { correctionsApi } from '../../payments/corrections/contract.ts'
import { compareBooks } from '../../payments/corrections/server/queries.ts'
import { servicesApi } from '../../services/contract.ts'
import { visitsApi } from '../../visits/contract.ts'
import { type QuoteRecord, quotesApi } from '../contract.ts'

let business: TestBusiness
let customerId: string
let propertyId: string
let mowing: string
let mulch: string

const person = { 'user-agent': 'Mozilla/5.0 (iPhone) Safari' }
const lineOf = (serviceId: string, more: object = {}) => ({ id: newId(), serviceId, name: 'Mowing', ...more })
const weekly = (more: object = {}) =>
  lineOf(mowing, { frequency: 'weekly', visits: 32, unitPriceCents: 5000, minutes: 40, taxCategory: 'lawn', ...more })
const once = (more: object = {}) => lineOf(mulch, { name: 'Mulch', unitPriceCents: 30_000, minutes: 180, ...more })

const make = (content: object = { lines: [weekly(), once()] }, more: object = {}) =>
  business.api.ok(quotesApi.create, { body: { propertyId, content, ...more } as never })
const get = (id: string) => business.api.ok(quotesApi.get, { params: { id } })
const sendIt = async (quote: QuoteRecord, ways = { mail: true, text: false }) =>
  business.api.ok(quotesApi.send, { params: { id: quote.id }, body: { ...ways, version: quote.version } })
const post = (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = person) =>
  stranger.raw({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  })
const open = (path: string) => stranger.raw({ method: 'GET', url: path, headers: person })
const sign = (quote: QuoteRecord, cents: number, more: Record<string, string> = {}) =>
  post(`${quote.publicPath}/sign`, { signer: 'Rebecca Odom', agree: '1', expected: String(cents), ...more })
const sent = async (content?: object, more?: object) => sendIt(await make(content, more))

beforeEach(async () => {
  business = await aBusiness()
  ;({ customerId, propertyId } = await aLawn(business))
  await business.db((db) =>
    db
      .updateTable('customers')
      .set({ email: 'rebecca@test.swath.test', phone: '+19125550147' })
      .where('businessId', '=', business.id)
      .where('id', '=', customerId)
      .execute(),
  )
  const { items } = await business.api.ok(servicesApi.addDefaults, {})
  mowing = items.find(({ category }) => category === 'mow')?.id ?? ''
  mulch = items.find(({ category }) => category === 'install')?.id ?? ''
})

describe('a draft', () => {
  it('has the next number, prices by the book with its inputs kept, and a total with the tax of the place', async () => {
    await business.api.ok(businessesApi.addTaxRate, {
      body: { name: 'Sales tax', ratePercent: 7, taxCategory: 'lawn' },
    })
    const inputs = { squareFeet: 8000, difficulty: 1, firstCut: false }
    const quote = await make({ lines: [weekly({ unitPriceCents: null, inputs, ruleCents: 1 }), once()] })
    const rule = await business.api.ok(servicesApi.quotePrice, {
      params: { id: mowing },
      body: { squareFeet: 8000, frequency: 'weekly' },
    })
    expect(quote).toMatchObject({ number: 1001, status: 'draft', revision: 1, validUntil: addDays(today(), 30) })
    expect(quote.content.lines[0]).toMatchObject({
      inputs,
      ruleCents: rule.priceCents,
      unitPriceCents: rule.priceCents,
    })
    const season = (rule.priceCents ?? 0) * 32
    expect(quote.totalCents).toBe(season + 30_000 + Math.round(season * 0.07))
    expect((await make()).number).toBe(1002)
  })

  it('is for who handles money: nobody else of the office, no crew, no other business', async () => {
    const quote = await make()
    const clerk = await aPerson(business.id, 'Admin', { permissions: ['schedule', 'customers'] })
    const crew = await business.employee()
    const other = await aBusiness()
    for (const who of [clerk, crew])
      expect((await who.api.call(quotesApi.get, { params: { id: quote.id } })).status).toBe(403)
    expect((await other.api.call(quotesApi.get, { params: { id: quote.id } })).status).toBe(404)
    expect((await other.api.call(quotesApi.create, { body: { propertyId } })).status).toBe(404)
    const payless = await aPerson(business.id, 'Admin', { permissions: ['money'] })
    expect((await payless.api.ok(quotesApi.get, { params: { id: quote.id } })).laborCents).toBeNull()
  })

  it('refuses what contradicts itself, and a service of somebody else, and changes nothing', async () => {
    const quote = await make()
    const update = (content: object) =>
      business.api.call(quotesApi.update, {
        params: { id: quote.id },
        body: { content, version: quote.version } as never,
      })
    expect(
      (await update({ lines: [weekly()], discount: { kind: 'amount', value: 500 } })).error.errors?.[0],
    ).toMatchObject({ path: 'content.discount.value' })
    expect((await update({ lines: [lineOf(newId())] })).status).toBe(404)
    expect((await update({ lines: [weekly({ packageIds: ['x'] })] })).status).toBe(422)
    expect((await get(quote.id)).version).toBe(quote.version)
  })

  it('is not written over a change that was not seen', async () => {
    const quote = await make()
    const body = { title: 'Spring', version: quote.version }
    expect((await business.api.ok(quotesApi.update, { params: { id: quote.id }, body })).title).toBe('Spring')
    expect((await business.api.call(quotesApi.update, { params: { id: quote.id }, body })).error.code).toBe(
      'version_conflict',
    )
  })
})

describe('on its way', () => {
  it('leaves by mail and text in the language of the customer, and is refused where nobody is reached', async () => {
    await business.db((db) =>
      db.updateTable('customers').set({ language: 'es' }).where('id', '=', customerId).execute(),
    )
    const quote = await sendIt(await make(), { mail: true, text: true })
    await runTasks()
    const rows = (await business.api.ok(messagesApi.list, { query: {} })).items
    const items = rows.map((row) => ({ ...row, bodyText: row.text }))
    expect(items.map(({ channel }) => channel).sort()).toEqual(['email', 'sms'])
    expect(items.every(({ bodyText }) => bodyText.includes(quote.publicPath ?? '?'))).toBe(true)
    expect(items.find(({ channel }) => channel === 'email')?.subject).toContain('su cotización')
    expect((await open(quote.publicPath ?? '')).text).toContain('lang="es"')
    const bare = await make()
    await business.db((db) =>
      db.updateTable('customers').set({ email: null, phone: null }).where('id', '=', customerId).execute(),
    )
    const { status, error } = await business.api.call(quotesApi.send, {
      params: { id: bare.id },
      body: { mail: true, text: true, version: bare.version },
    })
    expect([status, error.message]).toEqual([409, expect.stringContaining('Nobody is reached')])
    expect((await get(bare.id)).status).toBe('draft')
  })

  it('is not sent without a price, with nothing in it, or past its day', async () => {
    for (const [content, more] of [
      [{ lines: [weekly({ unitPriceCents: null })] }, {}],
      [{ lines: [] }, {}],
      [{ lines: [once({ optional: true })] }, {}],
      [undefined, { validUntil: addDays(today(), -1) }],
    ] as const) {
      const quote = await make(content, more)
      const answer = await business.api.call(quotesApi.send, {
        params: { id: quote.id },
        body: { mail: true, text: false, version: quote.version },
      })
      expect(answer.status).toBe(409)
    }
  })

  it('is viewed when a person opens it, not when a program fetches it, and once', async () => {
    const quote = await sent()
    await open(quote.publicPath ?? '')
    await post(`${quote.publicPath}/seen`, {}, { 'user-agent': 'Barracuda Sentinel link scanner' })
    await post(`${quote.publicPath}/seen`, {}, { 'user-agent': '' })
    expect((await get(quote.id)).status).toBe('sent')
    await post(`${quote.publicPath}/seen`)
    await post(`${quote.publicPath}/seen`)
    const after = await get(quote.id)
    expect([after.status, after.events.filter(({ kind }) => kind === 'viewed').length]).toEqual(['viewed', 1])
    const { notifications } = await business.api.ok(notificationsApi.list, {})
    expect(notifications.filter(({ type }) => type === 'quote').map(({ title }) => title)).toEqual([
      'Rebecca Odom is looking at Q-1001',
    ])
  })

  it('opens by both addresses, whole without a script and without cost or minutes; a forged link opens nothing', async () => {
    const quote = await sent({ lines: [weekly({ costCents: 777_77 }), once()], terms: 'Cash on the barrel.' })
    const pages = [
      await open(quote.publicPath ?? ''),
      await open((quote.publicPath ?? '').replace('/quote/', '/quotes/view/')),
    ]
    for (const { status, text } of pages) {
      expect(status).toBe(200)
      expect(text).toContain('Cash on the barrel.')
      expect(text).toContain('Sign for $1,900.00')
      expect(text).not.toMatch(/77777|777\.77|minutes/)
    }
    for (const path of [`/quote/${quote.id}`, '/quote/x', `/quotes/view/${'A'.repeat(43)}`])
      expect((await open(path)).status).toBe(404)
  })
})

describe('packages and options', () => {
  const packages = [
    { id: 'good', name: 'Good' },
    { id: 'best', name: 'Best', recommended: true },
  ]
  const content = () => ({
    packages,
    lines: [
      weekly({ id: 'mow' }),
      once({ id: 'mulch', packageIds: ['best'] }),
      once({ id: 'bed', name: 'Beds', unitPriceCents: 9000, optional: true }),
    ],
    deposit: { kind: 'percent', value: 1000 },
  })

  it('are added up by the server; a price that was changed in the browser signs nothing', async () => {
    const quote = await sent(content())
    expect(quote.totalCents).toBe(190_000)
    const choose = await post(`${quote.publicPath}/choose`, { package: 'good', 'option-bed': '1' })
    expect(choose.status).toBe(303)
    expect((await open(String(choose.headers.location))).text).toContain('Sign for $1,690.00')
    const wrong = await sign(quote, 100, { package: 'good', 'option-bed': '1' })
    expect([wrong.status, wrong.text.includes('Nothing was signed')]).toEqual([409, true])
    expect((await get(quote.id)).status).toBe('sent')
    expect((await sign(quote, 169_000, { package: 'good', 'option-bed': '1', 'option-mulch': '1' })).status).toBe(303)
    const after = await get(quote.id)
    expect(after).toMatchObject({
      status: 'approved',
      totalCents: 169_000,
      depositCents: 16_900,
      choice: { packageId: 'good', lineIds: ['bed'] },
    })
  })

  it('are jobs as they were chosen, with their recurrence and the prices that were signed, once', async () => {
    await business.db((db) =>
      db
        .updateTable('businesses')
        .set({ seasonStart: '01-01', seasonEnd: '12-31' })
        .where('businessId', '=', business.id)
        .execute(),
    )
    const quote = await sent({ ...content(), discount: { kind: 'percent', value: 500 } })
    await sign(quote, 180_500, { package: 'best' })
    const approved = await get(quote.id)
    const convert = () =>
      business.api.call(quotesApi.convert, {
        params: { id: quote.id },
        body: { startOn: addDays(today(), 7), version: approved.version },
      })
    const both = await Promise.all([convert(), convert()])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const { jobId } = await get(quote.id)
    const job = await business.api.ok(jobsApi.get, { params: { id: jobId ?? '' } })
    expect(
      job.lines.map(({ serviceId, unitPriceCents, recurrence, onceOn }) => [
        serviceId,
        unitPriceCents,
        recurrence?.freq ?? null,
        onceOn,
      ]),
    ).toEqual([
      [mowing, 4750, 'week', null],
      [mulch, 28_500, null, addDays(today(), 7)],
    ])
    const { items } = await business.api.ok(jobsApi.list, { query: {} })
    expect(items).toHaveLength(1)
    const visits = await business.api.ok(visitsApi.list, {
      query: { from: today(), to: addDays(today(), 28), jobId: jobId ?? '' } as never,
    })
    expect(JSON.stringify(visits)).toContain(addDays(today(), 14))
  })
})

it('the rounds of a program become a job of that program at the prices that were signed, beside the other work', async () => {
  const year = Number(today().slice(0, 4)) + 1
  const step = { serviceId: mulch, from: '03-01', to: '03-31', minGapDays: 0, priceCents: 9000, minutes: 30 }
  const program = await business.api.ok(programsApi.create, {
    body: { name: 'Lawn care', steps: [{ ...step, name: 'Round 1' }] },
  })
  const round = { programId: program.id, year, opensOn: `${year}-03-01`, closesOn: `${year}-03-31`, minGapDays: 0 }
  const quote = await sent({ lines: [once(), once({ name: 'Round 1', unitPriceCents: 8000, round })] })
  await sign(quote, 38_000)
  const { version } = await get(quote.id)
  const done = await business.api.ok(quotesApi.convert, {
    params: { id: quote.id },
    body: { startOn: addDays(today(), 7), version },
  })
  const { items } = await business.api.ok(jobsApi.list, { query: {} })
  expect(items.map(({ title }) => title).sort()).toEqual(['Lawn care', 'Mulch'])
  const other = items.find(({ id }) => id !== done.jobId)
  const job = await business.api.ok(jobsApi.get, { params: { id: other?.id ?? '' } })
  const again = await sent({ lines: [once({ name: 'Round 1', unitPriceCents: 8000, round })] })
  await sign(again, 8000)
  const second = await business.api.call(quotesApi.convert, {
    params: { id: again.id },
    body: { startOn: addDays(today(), 7), version: (await get(again.id)).version },
  })
  expect([second.status, second.error.message]).toEqual([409, expect.stringContaining('runs at this property')])
  expect(job.lines).toMatchObject([{ unitPriceCents: 8000, undated: { kind: 'step', opensOn: `${year}-03-01` } }])
})

describe('answers', () => {
  it('two people who sign at once: one signs, the other is told, and there is one signature', async () => {
    const quote = await sent()
    const both = await Promise.all([sign(quote, 190_000), sign(quote, 190_000, { signer: 'Tom Odom' })])
    expect(both.map(({ status }) => status).sort()).toEqual([303, 409])
    expect(both.find(({ status }) => status === 409)?.text).toContain('has signed this quote already')
    const rows = await business.db((db) => db.selectFrom('quoteSignatures').selectAll().execute())
    expect(rows).toHaveLength(1)
  })

  it('what was signed is a paper with its evidence that never changes', async () => {
    const quote = await sent({ lines: [weekly(), once()], terms: 'Net 30' })
    await sign(quote, 190_000, { strokes: JSON.stringify([[0.1, 0.5, 0.4, 0.2, 0.9, 0.6]]) })
    const { signature } = await get(quote.id)
    expect(signature).toMatchObject({ way: 'drawn', signer: 'Rebecca Odom', userAgent: person['user-agent'] })
    expect(signature?.ip).not.toBe('')
    const paper = await stranger.raw({ method: 'GET', url: `${quote.publicPath}/pdf` })
    const words = (await readPdf(paper.bytes)).flat().join(' ')
    for (const word of ['Q-1001', 'Rebecca Odom', '$1,900.00', 'Net 30', 'SIGNED', signature?.termsHash ?? '?'])
      expect(words).toContain(word)
    const again = await business.api.raw({ method: 'GET', url: `/api/quotes/${quote.id}/pdf` })
    expect(again.bytes.equals(paper.bytes)).toBe(true)
    const now = await get(quote.id)
    for (const change of [
      () =>
        business.api.call(quotesApi.update, { params: { id: quote.id }, body: { title: 'x', version: now.version } }),
      () => business.api.call(quotesApi.revise, { params: { id: quote.id }, body: { version: now.version } }),
    ])
      expect((await change()).status).toBe(409)
    for (const table of ['quoteSignatures', 'quoteRevisions'] as const)
      await expect(
        business.db((db) => db.updateTable(table).set({ revision: 9 }).where('businessId', '=', business.id).execute()),
      ).rejects.toThrow(/never changes/)
  })

  it('a quote that is edited while somebody reads it: the old version says so, takes no answer and leads to the newer one', async () => {
    const first = await sent()
    const draft = await business.api.ok(quotesApi.revise, {
      params: { id: first.id },
      body: { version: first.version },
    })
    expect((await open(first.publicPath ?? '')).text).toContain('working on a newer version')
    expect((await sign(first, 190_000)).status).toBe(409)
    const changed = await business.api.ok(quotesApi.update, {
      params: { id: draft.id },
      body: { content: { lines: [weekly({ unitPriceCents: 6000 })] } as never, version: draft.version },
    })
    const second = await sendIt(changed)
    expect(second.publicPath).not.toBe(first.publicPath)
    const old = await open(first.publicPath ?? '')
    expect(old.text).toContain('There is a newer version')
    expect(old.text).toContain(second.publicPath)
    expect((await sign(first, 190_000)).status).toBe(409)
    expect((await sign(second, 192_000)).status).toBe(303)
    expect((await get(first.id)).revision).toBe(2)
  })

  it('changes are asked for in words, a no has a reason, and both are over with it', async () => {
    const one = await sent()
    expect((await post(`${one.publicPath}/changes`, { words: ' ' })).status).toBe(422)
    expect((await post(`${one.publicPath}/changes`, { words: 'Every two weeks, please' })).status).toBe(303)
    const asked = await get(one.id)
    expect([asked.status, asked.events[0]?.words]).toEqual(['changes_requested', 'Every two weeks, please'])
    expect((await sign(one, 190_000)).status).toBe(409)
    const two = await sent()
    expect((await post(`${two.publicPath}/decline`, { reason: 'cheap' })).status).toBe(422)
    expect((await post(`${two.publicPath}/decline`, { reason: 'price' })).status).toBe(303)
    expect(await get(two.id)).toMatchObject({ status: 'declined', lostReason: 'price', followOn: null })
  })

  it('a quote past its day takes no signature, and an archived one opens nothing', async () => {
    const quote = await sent()
    const now = await get(quote.id)
    await business.api.ok(quotesApi.archive, { params: { id: quote.id }, body: { version: now.version } })
    expect((await open(quote.publicPath ?? '')).status).toBe(404)
    expect((await sign(quote, 190_000)).status).toBe(404)
  })

  it('the office approves on behalf with who, how and by whom', async () => {
    const quote = await sent()
    const body = {
      signer: 'Rebecca',
      note: 'On the phone',
      choice: { packageId: null, lineIds: [] },
      version: quote.version,
    }
    const done = await business.api.ok(quotesApi.approve, { params: { id: quote.id }, body })
    expect(done).toMatchObject({
      status: 'approved',
      signature: { way: 'office', signer: 'Rebecca', note: 'On the phone', byName: business.owner.name },
    })
    expect((await business.api.call(quotesApi.approve, { params: { id: quote.id }, body })).status).toBe(409)
  })
})

describe('the deposit', () => {
  const deposit = { kind: 'amount', value: 20_000 }

  it('is paid by the hosted checkout once it is signed, held as credit, and goes on the first invoice of the job', async () => {
    const quote = await sent({ lines: [once()], deposit })
    expect((await post(`${quote.publicPath}/pay`)).status).toBe(409)
    await sign(quote, 30_000)
    const [one, two] = await Promise.all([post(`${quote.publicPath}/pay`), post(`${quote.publicPath}/pay`)])
    const url = /\/local\/checkout\/[\w-]+/.exec(one.text)?.[0] ?? ''
    expect(two.text).toContain(url)
    const paid = await stranger.raw({
      method: 'POST',
      url: `/api/local/checkout/${url.split('/').at(-1)}/pay`,
      payload: { cardNumber: '4242 4242 4242 4242' },
    })
    expect(paid.status).toBe(200)
    await runTasks()
    expect((await open(`${quote.publicPath}?paid=1`)).text).toContain('Your deposit of $200.00 has arrived')
    // a tab from before shows it once, and its address opened again is the quote
    expect(await post(`${quote.publicPath}/pay`)).toMatchObject({ status: 303 })
    const reopened = await stranger.raw({ method: 'GET', url: `${quote.publicPath}/pay` })
    expect([reopened.status, reopened.headers.location]).toEqual([303, quote.publicPath])
    const approved = await get(quote.id)
    expect(approved.depositPaidCents).toBe(20_000)
    const { items } = await business.api.ok(correctionsApi.listCredits, { params: { id: customerId } })
    expect(items).toHaveLength(1)
    const receipts = (await business.api.ok(messagesApi.list, { query: { channel: 'email' } })).items
    expect(receipts.map(({ text }) => text).join(' ')).toContain('Your deposit of $200.00 for Q-1001, Mulch')
    const done = await business.api.ok(quotesApi.convert, {
      params: { id: quote.id },
      body: { startOn: today(), version: approved.version },
    })
    await business.db(async (db) => {
      await db
        .updateTable('visits')
        .set({ status: 'completed', finishedAt: new Date().toISOString() })
        .where('businessId', '=', business.id)
        .where('jobId', '=', done.jobId)
        .execute()
    })
    await business.api.ok(invoicesApi.createBatch, { body: { send: false } })
    const [draft] = (await business.api.ok(invoicesApi.list, { query: {} })).items
    const invoice = await business.api.ok(invoicesApi.issue, { params: { id: draft?.id ?? '' } })
    expect(invoice).toMatchObject({ totalCents: 30_000, paidCents: 20_000, balanceCents: 10_000 })
    expect(await business.db((db) => compareBooks(db))).toEqual([])
  })

  it('goes on no other invoice by itself while the quote is no job', async () => {
    const quote = await sent({ lines: [once()], deposit })
    const { version } = await business.api.ok(businessesApi.get, {})
    await business.api.ok(businessesApi.update, { body: { useCredit: true, version } })
    await sign(quote, 30_000)
    const page = await post(`${quote.publicPath}/pay`)
    const id = /\/local\/checkout\/([\w-]+)/.exec(page.text)?.[1]
    await stranger.raw({
      method: 'POST',
      url: `/api/local/checkout/${id}/pay`,
      payload: { cardNumber: '4242 4242 4242 4242' },
    })
    await runTasks()
    const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5000 }]
    const draft = await business.api.ok(invoicesApi.create, { body: { customerId, lines } })
    expect(await business.api.ok(invoicesApi.issue, { params: { id: draft.id } })).toMatchObject({ balanceCents: 5000 })
    // by hand neither, as long as other money is there
    await business.db((db) => db.updateTable('businesses').set({ useCredit: false }).execute())
    const given = await business.api.ok(correctionsApi.giveCredit, {
      params: { id: customerId },
      body: { amountCents: 5000, reason: 'A flower bed' },
    })
    await business.api.ok(correctionsApi.useCredit, { params: { id: draft.id }, body: { amountCents: 5000 } })
    const { items } = await business.api.ok(correctionsApi.listCredits, { params: { id: customerId } })
    expect(items.map(({ restCents }) => restCents)).toEqual([20_000])
    expect(items.map(({ paymentId }) => paymentId)).not.toContain(given.paymentId)
  })
})

it('the token of a row that is no version opens nothing', async () => {
  const quote = await make()
  const token = await business.db((db) => linkToken(db, 'quote', quote.id))
  expect((await open(`/quote/${token}`)).status).toBe(404)
})

describe('what waits for the end of quiet hours', () => {
  const words = async () =>
    (
      await business.db((db) =>
        db
          .selectFrom('messages')
          .select(['status', 'reason'])
          .where('businessId', '=', business.id)
          .where('entityType', '=', 'quote')
          .orderBy('createdAt')
          .orderBy('id')
          .execute(),
      )
    ).map(({ status, reason }) => (status === 'suppressed' ? reason : status))
  const hold = () =>
    business.db((db) =>
      db
        .updateTable('messages')
        .set({ status: 'held' })
        .where('businessId', '=', business.id)
        .where('entityType', '=', 'quote')
        .where('status', '=', 'pending')
        .execute(),
    )
  const held = async () => {
    const quote = await sendIt(await make(), { mail: false, text: true })
    await hold()
    return quote
  }

  it('is taken back when a newer version is sent, whose own text goes, and when that one is signed', async () => {
    const first = await held()
    const next = await business.api.ok(quotesApi.revise, { params: { id: first.id }, body: { version: first.version } })
    const second = await sendIt(next, { mail: false, text: true })
    expect(await words()).toEqual(['A newer version of the quote was sent', 'pending'])
    await hold()
    await business.api.ok(quotesApi.approve, {
      params: { id: second.id },
      body: { signer: 'R', note: 'By phone', choice: { packageId: null, lineIds: [] }, version: second.version },
    })
    expect(await words()).toEqual(['A newer version of the quote was sent', 'The quote was signed'])
  })

  it('is said on the quote, until it leaves', async () => {
    const quote = await held()
    const read = () => business.api.ok(quotesApi.get, { params: { id: quote.id } })
    const until = '2026-06-12T12:00:00.000Z'
    await business.db((db) =>
      db.updateTable('messages').set({ runAfter: until }).where('businessId', '=', business.id).execute(),
    )
    expect(Date.parse((await read()).textWaitsUntil ?? '')).toBe(Date.parse(until))
    await business.db((db) =>
      db.updateTable('messages').set({ status: 'sent' }).where('businessId', '=', business.id).execute(),
    )
    expect((await read()).textWaitsUntil).toBeNull()
  })

  it('is taken back when the quote is declined or archived', async () => {
    const declined = await held()
    const no = { reason: 'price' as const, version: declined.version }
    await business.api.ok(quotesApi.decline, { params: { id: declined.id }, body: no })
    const archived = await held()
    await business.api.ok(quotesApi.archive, { params: { id: archived.id }, body: { version: archived.version } })
    expect(await words()).toEqual(['The quote was declined', 'The quote was archived'])
  })
})
