import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { systemActor } from '../../../platform/actor.ts'
import { removeObject } from '../../../platform/storage.ts'
import { runTasks, stranger } from '../../../test/api.ts'
import { somebodyWaits } from '../../../test/database.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { aVisit, today } from '../../../test/field.ts'
import { businessesApi } from '../../businesses/contract.ts'
import { messagesApi } from '../../messages/contract.ts'
import { paymentsApi } from '../../payments/contract.ts'
import { invoicesApi } from '../contract.ts'
import { lockInvoiceTx } from './commands.ts'
import { listChosen } from './queries.ts'
import { sendInvoiceWork } from './tasks.ts'

const finished = async (
  own: TestBusiness,
  changes: { priceCents?: number; customer?: string; email?: string | null } = {},
) => {
  const visit = await aVisit(own, {
    status: 'completed',
    customer: changes.customer ?? 'Rebecca Odom',
    priceCents: changes.priceCents ?? 5500,
  })
  const email = changes.email === undefined ? `${visit.customerId}@test.swath.test` : changes.email
  await own.db((db) =>
    db
      .updateTable('customers')
      .set({ email })
      .where('businessId', '=', own.id)
      .where('id', '=', visit.customerId)
      .execute(),
  )
  return visit
}
const preview = (own: TestBusiness) => own.api.ok(invoicesApi.preview, {})
const batch = (own: TestBusiness, body = {}, headers = {}) =>
  own.api.call(invoicesApi.createBatch, { body: { send: true, ...body } }, headers)

describe('a draft typed by hand', () => {
  it('is refused with a discount above its lines: nothing is cut in silence', async () => {
    const own = await aBusiness()
    const { customerId } = await finished(own)
    const lines = [{ description: 'Cleanup', quantity: 1, unitPriceCents: 10_000 }]
    const make = (discountCents: number) =>
      own.api.call(invoicesApi.create, { body: { customerId, lines, discountCents } })
    const refused = await make(20_000)
    expect([refused.status, refused.error.errors]).toEqual([
      422,
      [{ path: 'discountCents', message: 'The discount is more than the $100.00 of the lines.' }],
    ])
    expect((await make(10_000)).status).toBe(200)
  })
})

describe('invoicing the finished visits', () => {
  it('previews with exceptions, makes, issues and mails each once with PDF and pay link', async () => {
    const own = await aBusiness({ name: 'Oak Lawns' })
    await finished(own)
    await finished(own, { customer: 'No Mail', email: null })
    const free = await finished(own, { priceCents: 0, customer: 'No Price' })
    const shown = await preview(own)
    expect([shown.invoiceCount, shown.visitCount, shown.totalCents]).toEqual([2, 2, 11000])
    expect(shown.exceptions.map((e) => [e.visitId, e.reason])).toEqual([[free.visitId, 'no_price']])
    expect(shown.groups.find((g) => g.customer.name === 'No Mail')?.note).toMatch(/No mail and no text/)
    const made = await batch(own)
    expect(made.body).toMatchObject({
      invoiceCount: 2,
      visitCount: 2,
      totalCents: 11000,
      mailedCount: 1,
      unmailedCount: 1,
    })
    await runTasks()
    await runTasks()
    const { items, counts, owedCents } = await own.api.ok(invoicesApi.list, { query: { batchId: made.body.batchId } })
    expect(items.map((i) => i.status)).toEqual(['issued', 'issued'])
    expect([counts.open, owedCents]).toEqual([2, 11000])
    expect(items.map((i) => i.number).sort()).toEqual([1001, 1002])
    const mails = (await own.api.ok(messagesApi.list, { query: { channel: 'email' } })).items
    expect(mails).toHaveLength(1)
    const mail = await own.api.ok(messagesApi.get, { params: { id: mails[0]?.id ?? '' } })
    expect(mail.subject).toMatch(/^INV-100\d from Oak Lawns: \$55\.00 due /)
    expect(mail.attachments.map((a) => a.name)).toEqual([expect.stringMatching(/^INV-100\d\.pdf$/)])
    const invoice = await own.api.ok(invoicesApi.get, { params: { id: items.find((i) => i.sentAt)?.id ?? '' } })
    expect(mail.text).toContain(invoice.publicPath)
    expect(invoice.lines).toMatchObject([
      { description: 'Mow, edge, blow', place: '132 Laurel Green Ct', totalCents: 5500 },
    ])
    expect((await preview(own)).invoiceCount).toBe(0)
  })

  it('bills a visit once: doubled click, second tab, and nothing left is said', async () => {
    const own = await aBusiness()
    for (let i = 0; i < 3; i++) await finished(own, { customer: `C${i}` })
    const stale = await batch(own, { expected: { invoiceCount: 2, totalCents: 11000 } })
    expect([stale.status, stale.error.message]).toEqual([409, expect.stringContaining('3 invoices over $165.00')])
    expect((await own.api.ok(invoicesApi.list, {})).total).toBe(0)
    const key = { 'idempotency-key': 'batch-click-1' }
    const answers = await Promise.all([batch(own, {}, key), batch(own, {}, key), batch(own), batch(own)])
    expect(answers.filter((a) => a.status === 200).length).toBeGreaterThanOrEqual(1)
    expect(answers.every((a) => a.status === 200 || a.status === 409)).toBe(true)
    const { total, owedCents } = await own.api.ok(invoicesApi.list, {})
    expect([total, owedCents]).toEqual([3, 16500])
    expect((await batch(own)).status).toBe(409)
  })

  it('taxes by rate group, leaves the exempt alone, and keeps the numbers when the table changes', async () => {
    const own = await aBusiness()
    await own.api.ok(businessesApi.addTaxRate, { body: { name: 'GA lawn', ratePercent: 7, taxCategory: 'lawn' } })
    await finished(own, { priceCents: 5550 })
    const exempt = await finished(own, { customer: 'Church', priceCents: 1000 })
    await own.db((db) =>
      db
        .updateTable('customers')
        .set({ taxExempt: true })
        .where('businessId', '=', own.id)
        .where('id', '=', exempt.customerId)
        .execute(),
    )
    await batch(own)
    const { items } = await own.api.ok(invoicesApi.list, { query: { sort: 'total' } })
    expect(items.map((i) => i.totalCents)).toEqual([5939, 1000])
    const rates = (await own.api.ok(businessesApi.get, {})).taxRates
    await own.api.ok(businessesApi.removeTaxRate, { params: { id: rates[0]?.id ?? '' } })
    expect((await own.api.ok(invoicesApi.get, { params: { id: items[0]?.id ?? '' } })).taxes).toEqual([
      { name: 'GA lawn', ratePercent: 7, baseCents: 5550, taxCents: 389 },
    ])
  })

  it('sends a draft, mails an issued one again as a new wish, reminds once a day', async () => {
    const own = await aBusiness()
    const visit = await finished(own)
    await batch(own, { send: false })
    const draft = (await own.api.ok(invoicesApi.list, {})).items[0]
    expect(draft).toMatchObject({ status: 'draft', customer: { id: visit.customerId } })
    const id = draft?.id ?? ''
    expect((await own.api.call(invoicesApi.remind, { params: { id } })).status).toBe(409)
    const sent = await own.api.ok(invoicesApi.send, { params: { id } })
    expect([sent.status, sent.issueOn]).toEqual(['issued', today()])
    await runTasks()
    await own.api.ok(invoicesApi.send, { params: { id } })
    await own.api.ok(invoicesApi.remind, { params: { id } })
    expect((await own.api.call(invoicesApi.remind, { params: { id } })).error.message).toMatch(/less than a day ago/)
    await runTasks()
    const mails = (await own.api.ok(messagesApi.list, { query: { channel: 'email' } })).items
    expect(mails.map((m) => m.subject.split(' ')[0])).toEqual(['A', 'INV-1001', 'INV-1001'])
  })

  it('takes one back: the visits can be invoiced again, the balance is as before', async () => {
    const own = await aBusiness()
    await finished(own)
    await batch(own)
    const id = (await own.api.ok(invoicesApi.list, {})).items[0]?.id ?? ''
    expect((await own.api.ok(invoicesApi.voidInvoice, { params: { id } })).status).toBe('void')
    expect((await own.api.call(invoicesApi.send, { params: { id } })).status).toBe(409)
    expect((await preview(own)).invoiceCount).toBe(1)
    const sum = await own.db((db) =>
      db
        .selectFrom('ledgerEntries')
        .select((eb) => eb.fn.sum<number>('amountCents').as('sum'))
        .where('businessId', '=', own.id)
        .executeTakeFirstOrThrow(),
    )
    expect(Number(sum.sum)).toBe(0)
    expect((await batch(own)).status).toBe(200)
  })

  it('refuses more than 1,000 at once, without reading them all', async () => {
    const own = await aBusiness()
    const { customerId } = await finished(own)
    await own.db((db) =>
      sql`insert into invoices (business_id, id, number, customer_id)
        select b.business_id, md5(b.business_id::text || n)::uuid, n, ${customerId}::uuid from businesses b, generate_series(1, 1010) n
        where b.business_id = ${own.id}`.execute(db),
    )
    const filter = { view: 'all' as const }
    const refused = await own.api.call(invoicesApi.sendMany, { body: { filter } })
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('more than 1,000')])
    expect(await own.db((db) => listChosen(db, { filter }))).toHaveLength(1001)
  })

  it('one that was taken back is not mailed: neither while it is drawn nor from the outbox', async () => {
    const own = await aBusiness()
    await finished(own)
    await batch(own, { send: false })
    const draft = (await own.api.ok(invoicesApi.list, {})).items[0]
    const id = draft?.id ?? ''
    await own.api.ok(invoicesApi.issue, { params: { id } })
    const mail = (reason: string) => sendInvoiceWork.run(systemActor(own.id), { invoiceId: id, reason })
    const mails = async () =>
      (await own.api.ok(invoicesApi.get, { params: { id } })).mails.map((m) => [m.status, m.reason])
    await mail('sent')
    expect(await mails()).toEqual([['pending', null]])
    let drawn: Promise<unknown> | undefined
    await own.db(async (db) => {
      await lockInvoiceTx(db, id)
      await db
        .updateTable('invoices')
        .set({ status: 'void' })
        .where('businessId', '=', own.id)
        .where('id', '=', id)
        .execute()
      drawn = mail('again:1')
      await somebodyWaits()
    })
    await drawn
    expect(await mails()).toHaveLength(1)
    await own.db((db) =>
      db
        .updateTable('invoices')
        .set({ status: 'issued' })
        .where('businessId', '=', own.id)
        .where('id', '=', id)
        .execute(),
    )
    const { publicPath } = await own.api.ok(invoicesApi.get, { params: { id } })
    await own.api.ok(invoicesApi.voidInvoice, { params: { id } })
    await runTasks()
    expect(await mails()).toEqual([['suppressed', 'INV-1001 was voided']])
    const token = publicPath?.split('/').at(-1) ?? ''
    const paper = await stranger.call(paymentsApi.publicPdf, { params: { token } })
    expect([paper.status, paper.error.message]).toEqual([409, expect.stringContaining('was voided')])
  })

  it('with money on it it stays, and says so without promising a refund', async () => {
    const own = await aBusiness()
    await finished(own)
    await batch(own)
    const id = (await own.api.ok(invoicesApi.list, {})).items[0]?.id ?? ''
    await own.api.ok(paymentsApi.recordPayment, {
      params: { id },
      body: { amountCents: 500, method: 'check', receivedOn: today() },
    })
    const refused = await own.api.call(invoicesApi.voidInvoice, { params: { id } })
    expect([refused.status, refused.error.message]).toEqual([
      409,
      'INV-1001 has payments on it, so it stays. Nothing was changed.',
    ])
    expect((await own.api.ok(invoicesApi.get, { params: { id } })).status).toBe('partially_paid')
    expect((await preview(own)).invoiceCount).toBe(0)
  })

  it('settles a visit without a price: priced it is billed, or nobody is billed for it', async () => {
    const own = await aBusiness()
    const first = await finished(own, { priceCents: 0 })
    const second = await finished(own, { priceCents: 0, customer: 'Kind favor' })
    const settle = (visitId: string, body: { priceCents: number } | { billable: boolean }) =>
      own.api.call(invoicesApi.settleVisit, { params: { visitId }, body })
    expect((await settle(first.visitId, { priceCents: 0 })).status).toBe(422)
    expect((await settle(first.visitId, { priceCents: 4250 })).body).toMatchObject({ priceCents: 4250, billable: true })
    expect((await settle(second.visitId, { billable: false })).body).toMatchObject({ billable: false })
    const shown = await preview(own)
    expect([shown.invoiceCount, shown.totalCents, shown.exceptions]).toEqual([1, 4250, []])
    await batch(own)
    expect((await settle(first.visitId, { priceCents: 1 })).status).toBe(409)
    expect(
      (
        await (
          await aBusiness()
        ).api.call(invoicesApi.settleVisit, { params: { visitId: second.visitId }, body: { billable: true } })
      ).status,
    ).toBe(404)
  })

  it('reminds and sends all of a filter, names whom it left alone, and shows each mail on its invoice', async () => {
    const own = await aBusiness()
    for (const customer of ['A', 'B']) await finished(own, { customer })
    await finished(own, { customer: 'No Mail', email: null })
    await batch(own, { send: false })
    const all = { filter: { view: 'all' as const } }
    const paper = (await own.api.ok(invoicesApi.list, { query: { search: 'No Mail' } })).items[0]?.id ?? ''
    expect((await own.api.call(invoicesApi.send, { params: { id: paper } })).error.message).toMatch(/no e-mail/)
    const sent = await own.api.ok(invoicesApi.sendMany, { body: { filter: { view: 'drafts' } } })
    expect([sent.sentCount, sent.skipped.map((s) => s.reason)]).toEqual([
      2,
      ['No Mail has no e-mail on file. Add an e-mail to the customer, then send INV-1003 again.'],
    ])
    expect((await own.api.ok(invoicesApi.issue, { params: { id: paper } })).status).toBe('issued')
    expect((await own.api.call(invoicesApi.issue, { params: { id: paper } })).status).toBe(409)
    await runTasks()
    const reminded = await own.api.ok(invoicesApi.remindMany, { body: all })
    expect([reminded.sentCount, reminded.skipped.map((s) => s.reason)]).toEqual([
      2,
      ['No Mail has no e-mail on file. Add an e-mail to the customer first.'],
    ])
    expect((await own.api.ok(invoicesApi.remindMany, { body: all })).sentCount).toBe(0)
    await runTasks()
    const id = (await own.api.ok(invoicesApi.list, { query: { search: 'inv-1001', view: 'open' } })).items[0]?.id ?? ''
    const { mails } = await own.api.ok(invoicesApi.get, { params: { id } })
    expect(mails.map((m) => m.kind)).toEqual(['invoice', 'reminder'])
  })

  it('draws a PDF, with names of every alphabet it has', async () => {
    const own = await aBusiness()
    await finished(own, { customer: 'Nguyễn Thị Hồng Đào, a name that is sixty characters long ok' })
    await batch(own)
    const id = (await own.api.ok(invoicesApi.list, {})).items[0]?.id ?? ''
    const pdf = await own.api.raw({ method: 'GET', url: `/api/invoices/${id}/pdf` })
    expect([pdf.status, pdf.headers['content-type'], pdf.text.slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-'])
    expect(pdf.text).not.toContain('/DCTDecode')
  })

  it('carries the logo of the business, and is drawn without it when the file is gone', async () => {
    const own = await aBusiness()
    await finished(own)
    await batch(own)
    const id = (await own.api.ok(invoicesApi.list, {})).items[0]?.id ?? ''
    const logo = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#14432f' } })
      .png()
      .toBuffer()
    await own.api.ok(businessesApi.setLogo, { body: logo })
    const drawn = async () => (await own.api.raw({ method: 'GET', url: `/api/invoices/${id}/pdf` })).text
    expect(await drawn()).toMatch(/\/Width 720\n?[\s\S]*\/Height 240[\s\S]*\/DCTDecode/)
    const { storageKey } = await own.db((db) =>
      db.selectFrom('files').select('storageKey').where('businessId', '=', own.id).executeTakeFirstOrThrow(),
    )
    await removeObject(storageKey)
    // another state of the invoice is another drawing
    await own.api.ok(paymentsApi.recordPayment, {
      params: { id },
      body: { amountCents: 500, method: 'check', receivedOn: today() },
    })
    expect(await drawn()).not.toContain('/DCTDecode')
    expect((await drawn()).slice(0, 5)).toBe('%PDF-')
  })

  it('is 404 to another business, 403 without money permission, 402 without a subscription, 422 for bad input', async () => {
    const own = await aBusiness()
    await finished(own)
    await batch(own)
    const id = (await own.api.ok(invoicesApi.list, {})).items[0]?.id ?? ''
    const other = await aBusiness()
    expect((await other.api.call(invoicesApi.get, { params: { id } })).status).toBe(404)
    expect((await other.api.call(invoicesApi.sendMany, { body: { ids: [id] } })).status).toBe(404)
    expect((await (await own.employee()).api.call(invoicesApi.list, {})).status).toBe(403)
    const lapsed = await aBusiness({ tier: 'pro', status: 'canceled' })
    expect((await batch(lapsed)).status).toBe(402)
    expect((await lapsed.api.call(invoicesApi.list, {})).status).toBe(200)
    expect((await batch(own, { from: '2026-02-30' })).error.errors?.[0]?.path).toBe('from')
  })
})
