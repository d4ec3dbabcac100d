import { beforeEach, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { ownerPool } from '../../../platform/db/database.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays } from '../../../shared/dates.ts'
import { runTasks } from '../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { aVisit, today } from '../../../test/field.ts'
import { customersApi } from '../../customers/contract.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { jobsApi } from '../../jobs/contract.ts'
import { messagesApi } from '../../messages/contract.ts'
import { receiveMail, receiveText } from '../../messages/server/inbound/commands.ts'
import { notificationsApi } from '../../notifications/contract.ts'
import { defaultServices } from '../../services/defaults/rules.ts'
import { businessLeadsApi as leadsApi, type NewLead } from '../contract.ts'
import { customerFactTx } from './commands.ts'

let business: TestBusiness
const phone = '+19125550147'

const add = (changes: Partial<NewLead> = {}) =>
  business.api.ok(leadsApi.create, { body: { name: 'Maya Brooks', source: 'call', phone, ...changes } as never })
const lead = (id: string) => business.api.ok(leadsApi.get, { params: { id } })
const move = (id: string, body: object) => business.api.call(leadsApi.move, { params: { id }, body: body as never })
const past = async (id: string) =>
  (await business.api.ok(leadsApi.timeline, { params: { id }, query: {} })).items.map(
    ({ kind, words }) => `${kind}: ${words}`,
  )
const text = (body: string, from = phone) =>
  receiveText(business.id, { from, body, providerId: newId(), provider: 'local' })

beforeEach(async () => {
  business = await aBusiness()
  // Whatever the hour of the run, texts leave at once.
  await business.db((db) =>
    db
      .updateTable('businesses')
      .set({ quietEndMinute: 0, quietStartMinute: 1440 })
      .where('businessId', '=', business.id)
      .execute(),
  )
})

describe('a lead in the funnel', () => {
  it('is added by hand, stands on the board and moves with what happens to it', async () => {
    const made = await add({ wants: 'Weekly mowing', street: '7 Bay St', city: 'Savannah', state: 'GA', zip: '31401' })
    expect(made).toMatchObject({ stage: 'new', repliedAt: null, can: { convert: true, text: true, mail: false } })
    const board = await business.api.ok(leadsApi.board, { query: {} })
    expect(board.columns.map(({ stage, count }) => [stage, count])).toEqual([
      ['new', 1],
      ['contacted', 0],
      ['quoted', 0],
      ['won', 0],
      ['lost', 0],
    ])
    await business.api.ok(leadsApi.sendText, {
      params: { id: made.id },
      body: { text: 'Hi Maya, when can we come by?' },
    })
    await runTasks()
    const after = await lead(made.id)
    expect([after.stage, after.repliedAt === null, after.stageBy]).toEqual(['contacted', false, 'facts'])
    await text('Tomorrow works')
    await runTasks()
    expect(await past(made.id)).toEqual([
      'message: Tomorrow works',
      'stage: Contacted: First answer sent',
      'message: Hi Maya, when can we come by?',
      'created: Weekly mowing',
    ])
  })

  it('stays where a person put it against what happened before, and follows what happens later', async () => {
    const { id, version } = await add()
    expect((await move(id, { stage: 'quoted', version })).body).toMatchObject({ stage: 'quoted', stageBy: 'person' })
    await business.db((db) => customerFactTx(db, newId(), 'replied', clock.iso()))
    expect((await move(id, { stage: 'lost', version: version + 2 })).status).toBe(422)
    const now = await lead(id)
    const lost = await move(id, {
      stage: 'lost',
      lost: { reason: 'price', note: 'Wanted $30' },
      version: now.version,
    })
    expect(lost.body).toMatchObject({ stage: 'lost', lostReason: 'price', lostNote: 'Wanted $30' })
    // A text that was on its way before does not bring it back.
    await business.api.ok(leadsApi.sendText, { params: { id }, body: { text: 'Thanks anyway' } })
    await runTasks()
    expect((await lead(id)).stage).toBe('lost')
    // Asking again does.
    await text('Changed my mind, can you still come?')
    await runTasks()
    expect(await lead(id)).toMatchObject({ stage: 'new', lostReason: null, repliedAt: null })
  })

  it('refuses a change over one not seen, and an unknown assignee', async () => {
    const { id, version } = await add()
    await business.api.ok(leadsApi.update, {
      params: { id },
      body: { version, nextAction: 'Call', nextActionOn: today() },
    })
    expect((await business.api.call(leadsApi.update, { params: { id }, body: { version, name: 'May' } })).status).toBe(
      409,
    )
    const { version: now } = await lead(id)
    expect(
      (await business.api.call(leadsApi.update, { params: { id }, body: { version: now, assigneeId: newId() } }))
        .status,
    ).toBe(422)
  })

  it('is one person: a second record is offered the first, and another business sees neither', async () => {
    const made = await add({ email: 'maya@home.test' })
    const again = await business.api.call(leadsApi.create, {
      body: { name: 'M. Brooks', source: 'call', email: 'MAYA@home.test', phone: '(912) 555-0147' },
    })
    expect(again.status).toBe(409)
    expect(again.error.details).toMatchObject({
      duplicates: { leads: [{ id: made.id, matches: ['email', 'phone'] }], customers: [] },
    })
    expect(await business.api.ok(leadsApi.duplicates, { query: { phone: '912-555-0147', exceptId: made.id } })).toEqual(
      { leads: [], customers: [] },
    )
    const other = await aBusiness()
    expect((await other.api.call(leadsApi.get, { params: { id: made.id } })).status).toBe(404)
  })

  it('is found by words, number, source, person and what is due; pages go on', async () => {
    const admin = await business.admin()
    for (const n of [1, 2, 3])
      await add({
        name: `Person ${n}`,
        phone: `+1912555010${n}`,
        source: n === 3 ? 'neighbor' : 'call',
        assigneeId: n === 2 ? admin.userId : null,
        nextActionOn: n === 1 ? today() : null,
      })
    const names = async (query: object) =>
      (await business.api.ok(leadsApi.list, { query: query as never })).items.map(({ name }) => name)
    expect(await names({})).toEqual(['Person 3', 'Person 2', 'Person 1'])
    expect(await names({ search: '555-0102' })).toEqual(['Person 2'])
    expect(await names({ source: 'neighbor' })).toEqual(['Person 3'])
    expect(await names({ assigneeId: admin.userId })).toEqual(['Person 2'])
    expect(await names({ assigneeId: 'none', sort: 'name', order: 'asc' })).toEqual(['Person 1', 'Person 3'])
    expect(await names({ due: 'today' })).toEqual(['Person 1'])
    const first = await business.api.ok(leadsApi.list, { query: { limit: 2 } })
    expect(await names({ limit: 2, cursor: first.nextCursor })).toEqual(['Person 1'])
    const board = await business.api.ok(leadsApi.board, { query: { new: 2 } })
    expect(board.columns[0]).toMatchObject({ count: 3, hasMore: true })
    expect(board.columns[0]?.items).toHaveLength(2)
    expect(await admin.api.ok(leadsApi.counts, {})).toEqual({ all: 3, open: 3, reply: 3, today: 1, mine: 1 })
  })

  it('changes many at once', async () => {
    const ids = [(await add()).id, (await add({ name: 'Ned', phone: '+19125550148' })).id]
    const admin = await business.admin()
    const bulk = (action: object) => business.api.ok(leadsApi.bulk, { body: { choice: { ids }, action } as never })
    expect(await bulk({ kind: 'assign', assigneeId: admin.userId })).toEqual({ changed: 2 })
    expect(await bulk({ kind: 'stage', stage: 'lost', lost: { reason: 'no_answer' } })).toEqual({ changed: 2 })
    expect((await lead(ids[1] ?? '')).lostReason).toBe('no_answer')
    const told = (await admin.api.ok(notificationsApi.list, {})).notifications.map(({ title }) => title)
    expect(told.filter((title) => title.endsWith('is your lead now'))).toHaveLength(2)
  })
})

describe('the first answer', () => {
  const reminders = async () =>
    (await business.api.ok(notificationsApi.list, {})).notifications
      .filter(({ read }) => !read)
      .map(({ title }) => title)
  const age = (id: string, minutes: number) =>
    business.db((db) =>
      db
        .updateTable('businessLeads')
        .set({ askedAt: new Date(clock.nowMs() - minutes * 60_000).toISOString() })
        .where('id', '=', id)
        .execute(),
    )
  const needs = async () =>
    (await business.api.ok(dashboardApi.get, {})).needs.filter(({ kind }) => kind === 'lead').map(({ title }) => title)

  it('is owed: it stands in Needs you and the sidebar until somebody called', async () => {
    const { id } = await add()
    expect(await needs()).toEqual([])
    await age(id, 20)
    expect(await needs()).toEqual(['Maya Brooks waits for an answer'])
    expect((await business.api.ok(notificationsApi.navCounts, {})).leads).toBe(1)
    await business.api.ok(leadsApi.note, { params: { id }, body: { call: 'no_answer' } })
    expect(await needs()).toEqual(['Maya Brooks waits for an answer'])
    await business.api.ok(leadsApi.note, { params: { id }, body: { call: 'talked', words: 'Comes back Friday' } })
    expect(await needs()).toEqual([])
    expect(await lead(id)).toMatchObject({ stage: 'contacted' })
    expect((await business.api.ok(notificationsApi.navCounts, {})).leads).toBe(0)
  })

  it('reminds the office when its time comes, and nobody once it was given', async () => {
    const { id } = await add()
    const { remindOffice } = await import('./tasks.ts')
    await remindOffice.run({ kind: 'system', businessId: business.id }, { leadId: id, reminder: 'quarter' })
    await remindOffice.run({ kind: 'system', businessId: business.id }, { leadId: id, reminder: 'quarter' })
    expect(await reminders()).toEqual(['Maya Brooks has waited 15 minutes for an answer'])
    await business.api.ok(leadsApi.note, { params: { id }, body: { call: 'voicemail' } })
    expect(await reminders()).toEqual([])
    await remindOffice.run({ kind: 'system', businessId: business.id }, { leadId: id, reminder: 'hours' })
    expect(await reminders()).toEqual([])
  })

  it('rings after 15 minutes, 4 hours and on the next morning of the business, each once, and not after an answer', async () => {
    // Friday evening in Savannah: the next morning is its own, not the server's.
    const start = Date.parse('2030-06-14T22:30:00Z')
    setClock(() => new Date(start))
    await business.db((db) =>
      db
        .updateTable('businesses')
        .set({ timeZone: 'America/New_York' })
        .where('businessId', '=', business.id)
        .execute(),
    )
    await text('Do you mow?', '+19125550181')
    await text('And you?', '+19125550182')
    await runTasks()
    resetClock()
    const planned = async () => {
      const { rows } = await ownerPool().query<{ minutes: number }>(
        `select round(extract(epoch from run_at - now()) / 60)::int as minutes from graphile_worker._private_jobs
          where key like $1 order by run_at, key`,
        [`leads.remind:${business.id}:%`],
      )
      return rows.map(({ minutes }) => minutes)
    }
    // 6:30 in the evening there: 8 in the morning is 13 and a half hours on.
    expect(await planned()).toEqual([15, 15, 240, 240, 810, 810])
    /** So many minutes after they asked; what is due by then runs. */
    const on = async (minutes: number) => {
      await ownerPool().query(
        `update graphile_worker._private_jobs set run_at = now() where key like $1 and run_at <= now() + make_interval(mins => $2)`,
        [`leads.remind:${business.id}:%`, minutes],
      )
      setClock(() => new Date(start + minutes * 60_000))
      await runTasks()
      resetClock()
      return (await reminders()).filter((title) => !title.startsWith('New lead')).sort()
    }
    expect(await on(10)).toEqual([])
    const [one, two] = ['(912) 555-0181', '(912) 555-0182']
    expect(await on(16)).toEqual([
      `${one} has waited 15 minutes for an answer`,
      `${two} has waited 15 minutes for an answer`,
    ])
    const { items } = await business.api.ok(leadsApi.list, { query: {} })
    const answered = items.find(({ name }) => name === one)?.id ?? ''
    await business.api.ok(leadsApi.note, { params: { id: answered }, body: { call: 'no_answer' } })
    expect(await on(17)).toHaveLength(2)
    await business.api.ok(leadsApi.note, { params: { id: answered }, body: { call: 'talked' } })
    expect(await on(18)).toEqual([`${two} has waited 15 minutes for an answer`])
    expect(await on(241)).toEqual([
      `${two} has waited 15 minutes for an answer`,
      `${two} has waited 4 hours for an answer`,
    ])
    expect(await on(811)).toContain(`${two} asked yesterday and has no answer yet`)
    expect(await planned()).toEqual([])
    // A text that a person writes ends it too, and takes the words off the bell.
    const waiting = items.find(({ name }) => name === two)?.id ?? ''
    await business.api.ok(leadsApi.sendText, { params: { id: waiting }, body: { text: 'Yes we do' } })
    expect(await on(812)).toEqual([])
  })

  it('is owed again when a card was moved on by mistake and put back, unless somebody answered', async () => {
    const { id } = await add()
    await age(id, 20)
    const put = async (stage: string) => {
      expect((await move(id, { stage, version: (await lead(id)).version })).status).toBe(200)
      return (await lead(id)).repliedAt
    }
    expect(await put('quoted')).not.toBeNull()
    expect(await needs()).toEqual([])
    expect(await put('new')).toBeNull()
    expect(await needs()).toEqual(['Maya Brooks waits for an answer'])
    await business.api.ok(leadsApi.note, { params: { id }, body: { call: 'talked' } })
    expect(await put('new')).not.toBeNull()
    expect(await needs()).toEqual([])
  })

  it('comes back on the day of the next step', async () => {
    const { id, version } = await add()
    await business.api.ok(leadsApi.note, { params: { id }, body: { call: 'talked' } })
    const now = (await lead(id)).version
    await business.api.ok(leadsApi.update, {
      params: { id },
      body: { version: now, nextAction: 'Send the price', nextActionOn: addDays(today(), 1) },
    })
    expect(await needs()).toEqual([])
    await business.api.ok(leadsApi.update, {
      params: { id },
      body: { version: (await lead(id)).version, nextActionOn: today() },
    })
    expect(await needs()).toEqual(['Maya Brooks: Send the price'])
    expect(version).toBe(1)
  })
})

describe('who writes from a number that nobody knows', () => {
  it('is a lead at once, told to the office, one however often they write; a customer is none', async () => {
    await text('Do you cut lawns in Pooler?', '+19125550161')
    await text('About half an acre', '+19125550161')
    await text('STOP', '+19125550162')
    await runTasks()
    const { items } = await business.api.ok(leadsApi.list, { query: {} })
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({
      name: '(912) 555-0161',
      source: 'text',
      wants: 'Do you cut lawns in Pooler?',
      stage: 'new',
    })
    const told = (await business.api.ok(notificationsApi.list, {})).notifications.map(({ title }) => title)
    expect(told).toContain('New lead: (912) 555-0161')
    await business.api.ok(customersApi.create, { body: { name: 'Known', phone } })
    await text('See you Friday')
    await runTasks()
    expect((await business.api.ok(leadsApi.list, { query: {} })).total).toBe(1)
  })

  it('answers a mail in the thread of the lead', async () => {
    const { id } = await add({ email: 'maya@home.test' })
    await business.api.ok(leadsApi.sendEmail, { params: { id }, body: { subject: 'Your lawn', text: 'Hello' } })
    await runTasks()
    const [sent] = (await business.api.ok(messagesApi.list, { query: { address: 'maya@home.test' } })).items
    await receiveMail(business.id, sent?.id ?? '', {
      from: 'other@home.test',
      fromName: 'Maya',
      subject: 'Re: Your lawn',
      text: 'Sounds good',
      messageId: newId(),
      automatic: false,
    } as never)
    expect((await past(id))[0]).toBe('message: Sounds good')
  })
})

describe('becoming a customer', () => {
  const property = { street: '7 Bay St', city: 'Savannah', state: 'GA', zip: '31401' }

  it('makes customer and property at once, takes the thread along, and does it once', async () => {
    const made = await add({ ...property, email: 'maya@home.test' })
    await text('Hello?')
    await runTasks()
    const { version } = await lead(made.id)
    const body = { version, property, won: true }
    const key = newId()
    const first = await business.api.ok(leadsApi.convert, { params: { id: made.id }, body }, { 'idempotency-key': key })
    const again = await business.api.ok(leadsApi.convert, { params: { id: made.id }, body }, { 'idempotency-key': key })
    expect(again.customer).toEqual(first.customer)
    expect(first).toMatchObject({ stage: 'won', can: { convert: false } })
    const customer = await business.api.ok(customersApi.get, { params: { id: first.customer?.id ?? '' } })
    expect([customer.name, customer.phone, customer.email, customer.stage]).toEqual([
      'Maya Brooks',
      phone,
      'maya@home.test',
      'active',
    ])
    expect(customer.properties.map(({ street }) => street)).toEqual(['7 Bay St'])
    const thread = await business.api.ok(messagesApi.list, { query: { customerId: customer.id } })
    expect(thread.items.map((one) => one.text)).toEqual(['Hello?'])
    const late = await business.api.call(leadsApi.convert, {
      params: { id: made.id },
      body: { version: first.version, property },
    })
    expect(late.status).toBe(409)
    expect((await business.api.ok(customersApi.list, { query: {} })).total).toBe(1)
  })

  it('changes nothing when the address is one that cannot be saved', async () => {
    const made = await add(property)
    const bad = await business.api.call(leadsApi.convert, {
      params: { id: made.id },
      body: { version: made.version, property: { ...property, zip: '999' } },
    })
    expect(bad.status).toBe(422)
    expect(await lead(made.id)).toMatchObject({ customer: null, stage: 'new' })
    expect((await business.api.ok(customersApi.list, { query: {} })).total).toBe(0)
  })

  it('attaches to a customer who is there, with one more property', async () => {
    const customer = await business.api.ok(customersApi.create, { body: { name: 'Maya Brooks', phone } })
    const made = await add({ ...property, allowDuplicate: true })
    const doubled = await business.api.call(leadsApi.convert, {
      params: { id: made.id },
      body: { version: made.version, property },
    })
    expect(doubled.status).toBe(409)
    expect(doubled.error.details).toMatchObject({ duplicates: [{ customerId: customer.id }] })
    const joined = await business.api.ok(leadsApi.convert, {
      params: { id: made.id },
      body: { version: made.version, customerId: customer.id, property, won: false },
    })
    expect(joined).toMatchObject({ customer: { id: customer.id }, stage: 'new' })
    expect(
      (await business.api.ok(customersApi.get, { params: { id: customer.id } })).properties.map(({ street }) => street),
    ).toEqual(['7 Bay St'])
  })

  it('is won when work is booked for the customer', async () => {
    const made = await add(property)
    const { customer } = await business.api.ok(leadsApi.convert, {
      params: { id: made.id },
      body: { version: made.version, property, won: false },
    })
    const { properties } = await business.api.ok(customersApi.get, { params: { id: customer?.id ?? '' } })
    await aVisit(business)
    const { timeRule, priceRule } = defaultServices[0] ?? {}
    await business.db((db) =>
      db
        .updateTable('services')
        .set({ timeRule: JSON.stringify(timeRule), priceRule: JSON.stringify(priceRule) })
        .where('businessId', '=', business.id)
        .execute(),
    )
    const { id: serviceId } = await business.db((db) =>
      db.selectFrom('services').select('id').where('businessId', '=', business.id).executeTakeFirstOrThrow(),
    )
    await business.api.ok(jobsApi.create, {
      body: {
        propertyId: properties[0]?.id ?? '',
        startOn: today(),
        lines: [{ serviceId, quantity: 1, unitPriceCents: 5500, recurrence: null, onceOn: today() }],
      } as never,
    })
    await runTasks()
    expect(await lead(made.id)).toMatchObject({ stage: 'won', stageBy: 'facts' })
  })

  it('leaves the stage to what happens, and the customer has the source of the lead', async () => {
    const made = await add({ ...property, source: 'neighbor' })
    const { customer, stage } = await business.api.ok(leadsApi.convert, {
      params: { id: made.id },
      body: { version: made.version, property },
    })
    expect(stage).toBe('new')
    expect((await business.api.ok(customersApi.get, { params: { id: customer?.id ?? '' } })).source).toBe('Neighbor')
  })
})
