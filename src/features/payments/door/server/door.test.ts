import sharp from 'sharp'
import { beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { ownerPool } from '../../../../platform/db/database.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays, addMonths } from '../../../../shared/dates.ts'
import type { Permission } from '../../../../shared/roles.ts'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness, aPerson, type Person, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, publishDay, today } from '../../../../test/field.ts'
import { crewappApi } from '../../../crewapp/contract.ts'
import type { CommandPayload } from '../../../crewapp/rules.ts'
import { employeesApi } from '../../../employees/contract.ts'
import { closingApi } from '../../../invoices/closing/contract.ts'
import { daysOfMonth, monthOf } from '../../../invoices/closing/rules.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { listJournal } from '../../../invoices/exports/server/journal.ts'
import { lockInvoiceTx, voidTx } from '../../../invoices/server/commands.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { correctionsApi } from '../../corrections/contract.ts'
import { compareBooks } from '../../corrections/server/queries.ts'
import { tipsApi } from '../../tips/contract.ts'
import { doorApi } from '../contract.ts'

type Setup = { own: TestBusiness; luis: Person; visitId: string; customerId: string }

const on = (own: TestBusiness, doorPayments = true) =>
  own.db((db) => db.updateTable('businesses').set({ doorPayments }).where('businessId', '=', own.id).execute())

const aCollector = (own: TestBusiness, permissions: Permission[] = ['collect'], name = 'Luis Ortega') =>
  aPerson(own.id, 'Employee', { name, permissions })

const aDoor = async (
  customer: { email?: string | null; phone?: string | null; language?: string } = {},
): Promise<Setup> => {
  const own = await aBusiness()
  await on(own)
  const luis = await aCollector(own)
  const crewId = await aCrew(own, { members: [luis] })
  const { visitId } = await aVisit(own, { crewId })
  await publishDay(own, crewId)
  const { customerId } = await own.db((db) =>
    db
      .selectFrom('visits')
      .select('customerId')
      .where('businessId', '=', own.id)
      .where('id', '=', visitId)
      .executeTakeFirstOrThrow(),
  )
  await own.db((db) =>
    db
      .updateTable('customers')
      .set({ email: 'odom@example.com', phone: '(912) 555-0142', ...customer })
      .where('businessId', '=', own.id)
      .where('id', '=', customerId)
      .execute(),
  )
  return { own, luis, visitId, customerId }
}

const anIssued = async ({ own, customerId }: Setup, cents: number) => {
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: cents }]
  const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  return id
}
const money = (amountCents: number, payload: CommandPayload = {}): CommandPayload => ({
  amountCents,
  method: 'cash',
  ...payload,
})
const collect = (visitId: string, payload: CommandPayload, at = clock.iso()) => ({
  id: newId(),
  type: 'collect' as const,
  visitId,
  at,
  payload,
})
const send = async (person: Person, ...commands: (ReturnType<typeof collect> & { attempt?: number })[]) =>
  (await person.api.ok(crewappApi.commands, { body: { commands, sentAt: clock.iso() } })).results
const invoiceOf = (own: TestBusiness, id: string) => own.api.ok(invoicesApi.get, { params: { id } })
const cash = (own: TestBusiness) => own.api.ok(doorApi.fieldCash, {})
const receipts = async (own: TestBusiness) =>
  own.db((db) =>
    db
      .selectFrom('payments')
      .select(['receiptNumber', 'amountCents', 'status', 'receivedOn', 'note'])
      .where('businessId', '=', own.id)
      .orderBy('receiptNumber')
      .execute(),
  )
const sent = (own: TestBusiness) =>
  own.db((db) =>
    db
      .selectFrom('messages')
      .select(['channel', 'address', 'subject', 'bodyText', 'dedupeKey'])
      .where('businessId', '=', own.id)
      .where('dedupeKey', 'like', 'door:%')
      .orderBy('createdAt')
      .execute(),
  )
/** What stands on an account of the journal, and that every entry and the ledger come to what they must. */
const balanceOf = (own: TestBusiness, account: string) =>
  own.db(async (db) => {
    expect(await compareBooks(db)).toEqual([])
    const period = { from: addDays(today(), -400), to: addDays(today(), 1) }
    const entries = await listJournal(db, period, 1000, async (query) => (await query.execute(db)).rows)
    expect(entries.map(({ lines }) => lines.reduce((sum, { cents }) => sum + cents, 0)).filter(Boolean)).toEqual([])
    return entries
      .flatMap(({ lines }) => lines)
      .filter((line) => line.account.name === account)
      .reduce((sum, { cents }) => sum + cents, 0)
  })
const held = (own: TestBusiness) => balanceOf(own, 'Cash in the Field')

/** How many sessions of this database wait for a lock of another one. */
const waitingForLocks = async (): Promise<number> =>
  (
    await ownerPool().query(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).rows[0]?.n ?? 0

let door: Setup
beforeEach(async () => {
  door = await aDoor()
})

describe('money at the door', () => {
  it('does not ask for what is on its way from a bank: it is owed no more, and money goes on the others first', async () => {
    const setup = await aDoor()
    const { own, luis, visitId } = setup
    const [coming, open] = [await anIssued(setup, 4000), await anIssued(setup, 3000)]
    await own.db((db) =>
      db
        .updateTable('invoices')
        .set({ pendingCents: 4000 })
        .where('businessId', '=', own.id)
        .where('id', '=', coming)
        .execute(),
    )
    const [reply] = await send(luis, collect(visitId, money(1000)))
    expect(reply?.door).toMatchObject({ owedCents: 2000, openCount: 1 })
    const rows = await own.db((db) =>
      db.selectFrom('paymentAllocations').select('invoiceId').where('businessId', '=', own.id).execute(),
    )
    expect(rows).toEqual([{ invoiceId: open }])
  })

  it('pays the oldest invoices first, keeps the rest as credit, and is booked once however often it is sent', async () => {
    const { own, luis, visitId } = door
    const first = await anIssued(door, 3000)
    const second = await anIssued(door, 2000)
    const one = collect(visitId, money(4000))
    const answers = await Promise.all([send(luis, one), send(luis, one), send(luis, one)])
    expect(answers.flatMap((list) => list.map(({ result }) => result)).sort()).toEqual([
      'applied',
      'duplicate',
      'duplicate',
    ])
    expect([(await invoiceOf(own, first)).status, (await invoiceOf(own, second)).balanceCents]).toEqual(['paid', 1000])
    const [reply] = await send(luis, collect(visitId, money(2500, { method: 'check', checkNumber: '1184' })))
    expect(reply?.door).toMatchObject({ owedCents: 0, creditCents: 1500, openCount: 0 })
    expect(reply?.door?.receipts.map(({ number, amountCents }) => [number, amountCents])).toEqual([
      ['R-1002', 2500],
      ['R-1001', 4000],
    ])
    expect((await receipts(own)).map(({ receiptNumber, note }) => [receiptNumber, note])).toEqual([
      [1001, ''],
      [1002, 'Check 1184'],
    ])
    expect(await held(own)).toBe(6500)
    await runTasks()
    expect(await sent(own)).toEqual([])
    const third = await anIssued(door, 9000)
    await own.api.ok(correctionsApi.useCredit, { params: { id: third }, body: { amountCents: 1500 } })
    expect((await invoiceOf(own, third)).balanceCents).toBe(7500)
  })

  it('tells the office of money that nothing was open for', async () => {
    const { own, luis, visitId } = door
    await send(luis, collect(visitId, money(600)))
    const { notifications } = await own.api.ok(notificationsApi.list, {})
    const told = notifications.filter(({ title }) => title.endsWith(' paid $6.00 at the door, and nothing was open'))
    expect(told).toHaveLength(1)
  })

  it.each([
    ['voided', (own: TestBusiness, db: TenantDb, id: string) => voidTx(db, systemActor(own.id), id)],
    [
      'disputed',
      (own: TestBusiness, db: TenantDb, id: string) =>
        db
          .updateTable('invoices')
          .set({ disputed: true })
          .where('businessId', '=', own.id)
          .where('id', '=', id)
          .execute(),
    ],
  ] as const)(
    'is credit where its invoice was %s in the second in which the phone waited for it',
    async (_, change) => {
      const { own, luis, visitId, customerId } = door
      const id = await anIssued(door, 3000)
      const before = await waitingForLocks()
      let answer: ReturnType<typeof send> | undefined
      await own.db(async (db) => {
        await lockInvoiceTx(db, id)
        answer = send(luis, collect(visitId, money(3000)))
        await expect.poll(waitingForLocks, { timeout: 10_000 }).toBeGreaterThan(before)
        await change(own, db, id)
      })
      expect((await answer)?.[0]?.result).toBe('applied')
      const rows = await own.db((db) =>
        db.selectFrom('paymentAllocations').select('invoiceId').where('businessId', '=', own.id).execute(),
      )
      expect(rows).toEqual([])
      expect((await own.api.ok(correctionsApi.listCredits, { params: { id: customerId } })).creditCents).toBe(3000)
      const told = (await own.api.ok(notificationsApi.list, {})).notifications.map(({ title }) => title)
      expect(told.filter((title) => title.endsWith(' paid $30.00 at the door, and nothing was open'))).toHaveLength(1)
      expect(await own.db(compareBooks)).toEqual([])
    },
  )

  it('gives two phones that come back at once numbers without a gap or a double', async () => {
    const { own, luis, visitId } = door
    const ana = await aCollector(own, ['collect'], 'Ana')
    const crewId = await aCrew(own, { members: [ana, luis] })
    const other = await aVisit(own, { crewId })
    const batch = (visit: string) => Array.from({ length: 6 }, (_, at) => collect(visit, money(100 + at)))
    const [mine, hers] = [batch(visitId), batch(other.visitId)]
    await Promise.all([send(luis, ...mine), send(ana, ...hers), send(luis, ...mine), send(ana, ...hers)])
    expect((await receipts(own)).map(({ receiptNumber }) => receiptNumber)).toEqual(
      Array.from({ length: 12 }, (_, at) => 1001 + at),
    )
  })

  it('refuses what is no money, and books nothing of it', async () => {
    const { own, luis, visitId } = door
    const wrong = [money(0), money(-5), money(2_000_000), money(500, { method: 'check' }), {}]
    const results = await send(luis, ...wrong.map((payload) => collect(visitId, payload)))
    expect(results.map(({ result, reason }) => [result, reason])).toEqual(wrong.map(() => ['refused', 'invalid']))
    expect(await receipts(own)).toEqual([])
  })

  it('is not lost where it may not be booked: the office hears of the sum, and it counts once it may', async () => {
    const { own, luis, visitId } = door
    await on(own, false)
    const one = collect(visitId, money(4500))
    expect((await send(luis, one))[0]).toMatchObject({ result: 'conflict', reason: 'collect_off' })
    await runTasks()
    const [notice] = await own.db((db) =>
      db.selectFrom('notifications').select(['title', 'content']).where('businessId', '=', own.id).execute(),
    )
    expect(notice?.title).toMatch(/^Luis took money at .*, but may not take payments at the door$/)
    expect(notice?.content).toContain('$45.00')
    expect(await receipts(own)).toEqual([])
    await on(own)
    expect((await send(luis, { ...one, attempt: 2 }))[0]?.result).toBe('applied')
    expect((await send(luis, { ...one, attempt: 3 }))[0]?.result).toBe('duplicate')
    expect((await receipts(own)).length).toBe(1)
  })

  it('is for those who may: nobody else hears what is owed, and a stop of another crew is told to the office', async () => {
    const { own, luis, visitId } = door
    await anIssued(door, 3000)
    const day = (who: Person) => who.api.ok(crewappApi.day, { query: {} })
    expect((await day(luis)).doors).toMatchObject([
      { visitIds: [visitId], owedCents: 3000, email: 'o•••@example.com', phone: '•••-0142' },
    ])
    const ben = await aCollector(own, [], 'Ben')
    const eva = await aCollector(own, ['collect'], 'Eva')
    await aCrew(own, { members: [ben] })
    expect(await day(ben)).not.toHaveProperty('doors')
    expect((await send(ben, collect(visitId, money(100))))[0]).toMatchObject({
      result: 'conflict',
      reason: 'collect_off',
    })
    const [reply] = await send(eva, collect(visitId, money(100)))
    expect(reply).toMatchObject({ result: 'conflict', reason: 'not_yours', visit: null })
    expect(reply).not.toHaveProperty('door')
    const other = await aDoor()
    // a stop that their business does not have is as one that was deleted: their own office hears of the money
    expect((await send(other.luis, collect(visitId, money(100))))[0]).toMatchObject({
      result: 'conflict',
      reason: 'not_found',
      visit: null,
    })
    await on(own, false)
    expect(await day(luis)).not.toHaveProperty('doors')
    expect(await receipts(own)).toEqual([])
  })

  it('sends the receipt as its customer wished, in their language, and again when they ask', async () => {
    const es = await aDoor({ language: 'es' })
    const { own, luis, visitId } = es
    await anIssued(es, 3000)
    const one = collect(visitId, money(3500, { receiptBy: 'sms' }))
    await send(luis, one)
    await runTasks()
    const [text, ...more] = await sent(own)
    expect(more).toEqual([])
    expect(text).toMatchObject({ channel: 'sms', address: '+19125550142' })
    expect(text?.bodyText).toMatch(
      /recibimos \$35\.00 \(efectivo\) por INV-\d+ el .*\. Recibo R-1001\. Gracias\. Responda STOP/,
    )
    const consent = await own.db((db) =>
      db.selectFrom('consentEvents').select(['action', 'purpose', 'source']).where('businessId', '=', own.id).execute(),
    )
    expect(consent).toEqual([{ action: 'grant', purpose: 'transactional', source: 'door receipt' }])
    const again = { ...collect(visitId, { receiptId: one.id, receiptBy: 'email' as const }), type: 'receipt' as const }
    const asked = await luis.api.ok(crewappApi.commands, { body: { commands: [again, again] } })
    expect(asked.results.map(({ result }) => result)).toEqual(['applied', 'duplicate'])
    await own.api.ok(doorApi.sendReceipt, { params: { receiptId: one.id }, body: { by: 'email' } })
    await runTasks()
    const mails = (await sent(own)).filter(({ channel }) => channel === 'email')
    expect(mails.map(({ subject }) => subject)).toEqual(Array(2).fill(expect.stringMatching(/^Recibido: \$35\.00/)))
    expect(mails[0]?.bodyText).toContain('$5.00 queda como crédito')
    const [{ paymentId = '' } = {}] = (await cash(own)).people[0]?.receipts ?? []
    await own.api.ok(correctionsApi.reversePayment, { params: { id: paymentId }, body: { reason: 'Counterfeit' } })
    const late = await own.api.call(doorApi.sendReceipt, { params: { receiptId: one.id }, body: { by: 'email' } })
    expect([late.status, late.error.message]).toEqual([409, expect.stringContaining('voided')])
  })

  it('names the invoice and what stays open of it', async () => {
    const own = await aDoor({ language: 'en' })
    await anIssued(own, 8500)
    await send(own.luis, collect(own.visitId, money(2000, { receiptBy: 'sms' })))
    await runTasks()
    const [text] = await sent(own.own)
    expect(text?.bodyText).toMatch(
      /we received \$20\.00 \(cash\) for INV-\d+ on .*\. \$65\.00 is still open\. Receipt R-/,
    )
  })

  it('keeps the photo of a check at its receipt, from whoever took it, and not at the visit', async () => {
    const { own, luis, visitId } = door
    const one = collect(visitId, money(700, { method: 'check', checkNumber: '9' }))
    await send(luis, one)
    const picture = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#fff' } })
      .jpeg()
      .toBuffer()
    const add = (who: Person) =>
      who.api.call(
        crewappApi.addCheckPhoto,
        { params: { receiptId: one.id }, body: picture },
        { 'content-type': 'image/jpeg' },
      )
    const ana = await aCollector(own, ['collect'], 'Ana')
    expect((await add(ana)).status).toBe(404)
    expect([(await add(luis)).status, (await add(luis)).status]).toEqual([200, 200])
    expect((await cash(own)).people[0]?.receipts[0]?.photoUrl).toContain('/')
    const photos = await own.db((db) =>
      db.selectFrom('visitPhotos').select('id').where('businessId', '=', own.id).execute(),
    )
    expect(photos).toEqual([])
  })

  it('dates money of a closed month in the open one and says so', async () => {
    const { own, luis, visitId } = door
    const month = monthOf(addMonths(`${monthOf(today())}-01`, -1))
    const { to } = daysOfMonth(month)
    await own.api.ok(closingApi.close, { body: { month, leaveOpen: true } })
    await send(luis, collect(visitId, money(900), `${to}T16:00:00.000Z`))
    const [payment] = await receipts(own)
    expect(payment?.receivedOn).toBe(today())
    expect(payment?.note).toContain('was closed when it arrived')
  })
})

describe('who may take money', () => {
  it('is given by who works with money, and changes nobody else’s reach', async () => {
    const own = await aBusiness()
    const manager = await aPerson(own.id, 'Admin', { permissions: ['team', 'money'] })
    const clerk = await aPerson(own.id, 'Admin', { permissions: ['team', 'schedule'] })
    const body = { name: 'Pat', role: 'Employee' as const, permissions: ['collect' as const] }
    expect((await clerk.api.call(employeesApi.create, { body })).status).toBe(403)
    const pat = await manager.api.ok(employeesApi.create, { body })
    expect(pat.permissions).toEqual(['collect'])
    const rename = (who: Person, version: number) =>
      who.api.call(employeesApi.update, { params: { id: pat.id }, body: { version, name: 'Patricia' } })
    expect((await rename(manager, pat.version)).status).toBe(200)
  })
})

describe('cash in the field', () => {
  it('is held by who took it until the office has counted it, a difference named', async () => {
    const { own, luis, visitId } = door
    await send(
      luis,
      collect(visitId, money(4000)),
      collect(visitId, money(1500)),
      collect(visitId, money(2500, { method: 'check', checkNumber: '7' })),
    )
    const [person] = (await cash(own)).people
    expect(person).toMatchObject({ name: 'Luis Ortega', cashCents: 5500, checkCents: 2500, checkCount: 1 })
    const receiptIds = person?.receipts.map(({ id }) => id) ?? []
    const hand = (body: { countedCents: number; reason?: string; receiptIds?: string[] }, userId = luis.userId) =>
      own.api.call(doorApi.handIn, { body: { userId, receiptIds, ...body } })
    const bare = await hand({ countedCents: 5200 })
    expect([bare.status, bare.error.errors?.[0]?.path]).toEqual([422, 'reason'])
    expect((await hand({ countedCents: 5500 }, (await aCollector(own)).userId)).status).toBe(404)
    const answers = await Promise.all([
      hand({ countedCents: 5200, reason: 'Gave $3 change' }),
      hand({ countedCents: 5200, reason: 'Gave $3 change' }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const after = await cash(own)
    expect([after.people, after.cashCents]).toEqual([[], 0])
    expect(after.handIns).toMatchObject([
      { cashCents: 5500, countedCents: 5200, checkCents: 2500, reason: 'Gave $3 change', undone: null },
    ])
    expect([
      await held(own),
      await balanceOf(own, 'Cash Over and Short'),
      await balanceOf(own, 'Undeposited Funds'),
    ]).toEqual([0, 300, 7700])
  })

  it('comes back when a hand-in was a mistake, but not over a receipt that was voided since', async () => {
    const { own, luis, visitId } = door
    await send(luis, collect(visitId, money(4000)), collect(visitId, money(1000)))
    const list = (await cash(own)).people[0]?.receipts ?? []
    const hand = async (ids: string[], countedCents: number) =>
      (await own.api.ok(doorApi.handIn, { body: { userId: luis.userId, receiptIds: ids, countedCents } })).handIns[0]
        ?.id ?? ''
    const all = await hand(
      list.map(({ id }) => id),
      5000,
    )
    const undo = (id: string) => own.api.call(doorApi.undoHandIn, { params: { id }, body: { reason: 'Wrong person' } })
    expect((await undo(all)).status).toBe(200)
    expect((await undo(all)).status).toBe(409)
    expect([await held(own), await balanceOf(own, 'Undeposited Funds')]).toEqual([5000, 0])
    const [first, second] = list
    const id = await hand([first?.id ?? ''], first?.amountCents ?? 0)
    const voidIt = (paymentId = '') =>
      own.api.ok(correctionsApi.reversePayment, { params: { id: paymentId }, body: { reason: 'Counterfeit' } })
    await voidIt(first?.paymentId)
    expect((await undo(id)).error.message).toContain('was voided since')
    await voidIt(second?.paymentId)
    expect((await cash(own)).people).toEqual([])
    expect([await held(own), await balanceOf(own, 'Undeposited Funds')]).toEqual([0, 0])
    expect((await receipts(own)).map(({ receiptNumber, status }) => [receiptNumber, status])).toEqual([
      [1001, 'reversed'],
      [1002, 'reversed'],
    ])
  })

  it('stands in the list of a month before it is closed', async () => {
    const { own, luis, visitId } = door
    const month = monthOf(addMonths(`${monthOf(today())}-01`, -1))
    await send(luis, collect(visitId, money(900), `${daysOfMonth(month).to}T16:00:00.000Z`))
    const { open, hasOpen } = await own.api.ok(closingApi.check, { query: { month } })
    expect([open.field, hasOpen]).toEqual([{ count: 1, totalCents: 900 }, true])
  })

  it('is seen and confirmed by who works with money only', async () => {
    const { own, luis } = door
    const clerk = await aPerson(own.id, 'Admin', { permissions: ['customers', 'collect'] })
    expect((await clerk.api.call(doorApi.fieldCash, {})).status).toBe(403)
    expect((await luis.api.call(doorApi.fieldCash, {})).status).toBe(403)
  })
})

describe('beside what is owed at the door', () => {
  it('a tip is the crew’s of that visit, no credit of the customer, on the list for payroll and gone with its receipt', async () => {
    const at = await aDoor()
    const { own, luis, visitId, customerId } = at
    const id = await anIssued(at, 5000)
    const [answer] = await send(luis, collect(visitId, money(6000, { tipCents: 1000 })))
    expect(answer).toMatchObject({ result: 'applied' })
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', paidCents: 5000 })
    expect((await own.api.ok(correctionsApi.listCredits, { params: { id: customerId } })).creditCents).toBe(0)
    const tips = () => own.api.ok(tipsApi.list, { query: { from: today(), to: today() } })
    expect(await tips()).toMatchObject({
      totalCents: 1000,
      unnamedCents: 0,
      people: [{ userId: luis.userId, cents: 1000 }],
      items: [{ invoice: null, amountCents: 1000 }],
    })
    expect(await balanceOf(own, 'Tips Payable')).toBe(-1000)
    const [receipt] = await own.db((db) =>
      db.selectFrom('payments').select('id').where('businessId', '=', own.id).execute(),
    )
    const body = { reason: 'Counted wrong' }
    await own.api.ok(correctionsApi.reversePayment, { params: { id: receipt?.id ?? '' }, body })
    expect((await tips()).totalCents).toBe(0)
    expect(await balanceOf(own, 'Tips Payable')).toBe(0)
  })

  it('a tip alone, with nothing open, is no credit and no surplus; one of more than was paid is no payment', async () => {
    const { own, luis, visitId, customerId } = await aDoor()
    const [alone, wrong] = await send(
      luis,
      collect(visitId, money(500, { tipCents: 500 })),
      collect(visitId, money(500, { tipCents: 501 })),
    )
    expect([alone?.result, wrong?.result]).toEqual(['applied', 'refused'])
    expect((await own.api.ok(correctionsApi.listCredits, { params: { id: customerId } })).creditCents).toBe(0)
    expect(
      (await own.api.ok(notificationsApi.list, { query: {} })).notifications.map(({ title }) => title).join(),
    ).not.toContain('nothing was open')
    expect(await balanceOf(own, 'Tips Payable')).toBe(-500)
  })

  it('who pays all but the discount for paying without a card owes nothing more, over several invoices together', async () => {
    const at = await aDoor()
    const { own, luis, visitId } = at
    await own.db((db) =>
      db.updateTable('businesses').set({ cashDiscountBps: 300 }).where('businessId', '=', own.id).execute(),
    )
    const ids = [await anIssued(at, 10_000), await anIssued(at, 5000)]
    const { doors } = await luis.api.ok(crewappApi.day, { query: {} })
    expect(doors).toMatchObject([{ owedCents: 15_000, withoutCard: { percent: '3%', cents: 14_550 } }])
    await send(luis, collect(visitId, money(14_549)))
    expect((await invoiceOf(own, ids[1] ?? '')).balanceCents).toBe(451)
    const [payment] = await own.db((db) =>
      db.selectFrom('payments').select('id').where('businessId', '=', own.id).execute(),
    )
    const body = { reason: 'Counted wrong' }
    await own.api.ok(correctionsApi.reversePayment, { params: { id: payment?.id ?? '' }, body })
    await send(luis, collect(visitId, money(14_550)))
    expect(await Promise.all(ids.map((id) => invoiceOf(own, id)))).toMatchObject([
      { status: 'paid', balanceCents: 0 },
      { status: 'paid', balanceCents: 0 },
    ])
    expect(await balanceOf(own, 'Accounts Receivable')).toBe(0)
  })
})
