import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { configureTravelEngine } from '../../../platform/geo/engines.ts'
import type { TravelEngine } from '../../../platform/geo/travel-engine.ts'
import { assertFor, readCredential, signOwnerToken } from '../../../platform/http/session.ts'
import { withoutLinks } from '../../../platform/http/support.ts'
import { newId } from '../../../platform/ids.ts'
import { signedFilePath } from '../../../platform/links.ts'
import { seal } from '../../../platform/sealed.ts'
import { supportMessage } from '../../../shared/support.ts'
import { mailsTo } from '../../../test/account.ts'
import { type Api, apiFor, apiWith, runTasks, stranger } from '../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit } from '../../../test/field.ts'
import { anOwner } from '../../../test/prospects.ts'
import { accountsApi } from '../../accounts/contract.ts'
import { businessesApi } from '../../businesses/contract.ts'
import { customersApi } from '../../customers/contract.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { notificationsApi } from '../../notifications/contract.ts'
import { ownerApi } from '../../owner/contract.ts'
import { routesApi } from '../../routes/contract.ts'
import { supportApi } from '../contract.ts'

let business: TestBusiness
let desk: Api

beforeEach(async () => {
  business = await aBusiness()
  desk = await anOwner()
})
afterEach(resetClock)

/** Time goes by; Owner and product owner sign in again, as their tokens are over. */
const pass = async (seconds: number) => {
  const at = clock.nowMs() + seconds * 1000
  setClock(() => new Date(at))
  business.api = await apiFor(business.owner)
  desk = await anOwner()
}
const grant = async (hours: 1 | 4 | 24 | 72 = 4, note = 'The route of Tuesday') =>
  (await business.api.ok(supportApi.grant, { body: { hours, note } })).grant!
const codeFor = async (id: string) => (await desk.ok(supportApi.makeCode, { params: { id } })).code
const open = (code: string) => stranger.call(supportApi.open, { body: { code } })
const enter = async (id: string): Promise<Api> => apiWith((await open(await codeFor(id))).body.token)
const listed = async () =>
  (await desk.ok(supportApi.openGrants, {})).items.filter((item) => item.businessName === business.owner.name)
const rename = () =>
  business.db((db) =>
    db.updateTable('businesses').set({ name: business.owner.name }).where('businessId', '=', business.id).execute(),
  )
const customers = (api: Api) => api.call(customersApi.list, { query: {} })
const visits = async () => (await business.api.ok(supportApi.get, {})).visits

describe('a grant', () => {
  it('is the Owner’s alone to make and to end', async () => {
    for (const person of [await business.admin(), await business.employee()]) {
      expect((await person.api.call(supportApi.grant, { body: { hours: 1 } })).status).toBe(403)
      expect((await person.api.call(supportApi.get, {})).status).toBe(403)
      const { id } = await grant()
      expect((await person.api.call(supportApi.end, { params: { id } })).status).toBe(403)
    }
    expect((await business.api.ok(supportApi.get, {})).grant).not.toBeNull()
  })

  it('names who, until when and why, and takes no other hours', async () => {
    const made = await grant(24, '  The route of Tuesday ')
    expect(made).toMatchObject({ grantedBy: business.owner.name, note: 'The route of Tuesday' })
    expect(Date.parse(made.expiresAt) - Date.parse(made.grantedAt)).toBe(24 * 3_600_000)
    for (const body of [{ hours: 2 }, { hours: 0 }, { hours: '4' }, {}, { hours: 1, note: 'x'.repeat(501) }])
      expect((await business.api.call(supportApi.grant, { body: body as never })).status).toBe(422)
  })

  it('pressed twice at once, or again while it is open, is one grant', async () => {
    const press = (hours: 1 | 4) => business.api.ok(supportApi.grant, { body: { hours, note: '' } })
    const answers = await Promise.all([press(4), press(4), press(1)])
    expect(new Set(answers.map(({ grant }) => grant?.id)).size).toBe(1)
    expect((await grant(72)).id).toBe(answers[0]?.grant?.id)
    const rows = await business.db((db) =>
      db.selectFrom('auditLog').select('action').where('businessId', '=', business.id).execute(),
    )
    expect(rows).toEqual([{ action: 'support.grant' }])
  })

  it('of another business is 404, and one that ran out makes room for the next', async () => {
    const { id } = await grant(1)
    const other = await aBusiness()
    expect((await other.api.call(supportApi.end, { params: { id } })).status).toBe(404)
    expect((await business.api.call(supportApi.end, { params: { id: newId() } })).status).toBe(404)
    await pass(3600)
    expect((await business.api.ok(supportApi.get, {})).grant).toBeNull()
    expect((await grant(4)).id).not.toBe(id)
    expect((await business.api.ok(supportApi.end, { params: { id } })).grant).not.toBeNull()
  })
})

describe('the desk', () => {
  it('lists who let it in and nobody else, and opens nothing without a grant', async () => {
    await rename()
    expect(await listed()).toEqual([])
    expect((await desk.call(supportApi.makeCode, { params: { id: newId() } })).status).toBe(404)
    expect((await desk.call(supportApi.makeCode, { params: { id: business.id } })).status).toBe(404)
    const made = await grant(4, 'Why is Tuesday so long?')
    expect(await listed()).toEqual([
      {
        id: made.id,
        businessName: business.owner.name,
        grantedBy: business.owner.name,
        note: 'Why is Tuesday so long?',
        expiresAt: made.expiresAt,
        timeZone: 'America/New_York',
      },
    ])
    await business.api.ok(supportApi.end, { params: { id: made.id } })
    expect(await listed()).toEqual([])
    expect((await desk.call(supportApi.makeCode, { params: { id: made.id } })).status).toBe(404)
    const next = await grant(1)
    await pass(3601)
    expect(await listed()).toEqual([])
    expect((await desk.call(supportApi.makeCode, { params: { id: next.id } })).status).toBe(404)
  })

  it('lists and opens no business that is closed', async () => {
    await rename()
    const made = await grant()
    const [code, support] = [await codeFor(made.id), await enter(made.id)]
    await business.db((db) =>
      db
        .updateTable('businesses')
        .set({ closedAt: clock.iso(), deleteAfter: clock.iso() })
        .where('businessId', '=', business.id)
        .execute(),
    )
    expect(await listed()).toEqual([])
    expect((await open(code)).status).toBe(404)
    const answer = await customers(support)
    expect([answer.status, answer.error.message]).toEqual([401, supportMessage.businessClosed])
  })
})

describe('a code', () => {
  it('works once, also for two at the same moment', async () => {
    const { id } = await grant()
    const code = await codeFor(id)
    const answers = await Promise.all([open(code), open(code)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
    expect((await open(code)).status).toBe(404)
    expect(await visits()).toHaveLength(1)
  })

  it('is refused after a minute, after the grant was ended, and when it is none of ours', async () => {
    const { id } = await grant()
    const [late, ended] = [await codeFor(id), await codeFor(id)]
    await business.api.ok(supportApi.end, { params: { id } })
    expect((await open(ended)).status).toBe(404)
    await pass(61)
    expect((await open(late)).status).toBe(404)
    const forged = { businessId: business.id, grantId: (await grant()).id, openedBy: 'owner' }
    expect((await open(seal('something else', forged, 60))).status).toBe(404)
    for (const code of ['', 'junk', 'x'.repeat(2000)]) expect([404, 422]).toContain((await open(code)).status)
    expect(await visits()).toEqual([])
  })
})

describe('a visit', () => {
  it('reads as an Admin without wages, and writes nothing', async () => {
    const support = await enter((await grant()).id)
    const { user, businessName } = await support.ok(supportApi.view, {})
    expect(user).toMatchObject({ role: 'Admin', email: null, name: 'Swath support' })
    expect(user.permissions).not.toContain('payroll')
    expect(businessName).toBe('Green Test Lawns')
    expect((await customers(support)).status).toBe(200)
    expect((await support.ok(businessesApi.get, {})).defaultWageCents).toBeNull()
    const refused = await support.call(customersApi.create, { body: { name: 'Rebecca Odom' } as never })
    expect([refused.status, refused.error.message]).toEqual([403, supportMessage.readOnly])
    expect((await support.call(invoicesApi.list, { query: {} })).status).toBe(200)
    expect((await support.raw({ method: 'GET', url: '/api/events/stream' })).status).toBe(403)
  })

  it('cannot write even where a read would', async () => {
    const { id } = await grant()
    const write = withTenant({ businessId: business.id, readOnly: true }, (db) =>
      db.updateTable('supportGrants').set({ note: 'changed' }).where('businessId', '=', business.id).execute(),
    )
    await expect(write).rejects.toMatchObject({ code: 'forbidden', message: supportMessage.readOnly })
    expect((await business.api.ok(supportApi.get, {})).grant).toMatchObject({ id, note: 'The route of Tuesday' })
  })

  it('is over at the very next request after the Owner ends it', async () => {
    const { id } = await grant()
    const support = await enter(id)
    expect((await customers(support)).status).toBe(200)
    await business.api.ok(supportApi.end, { params: { id } })
    for (const answer of [await customers(support), await support.call(supportApi.view, {})])
      expect([answer.status, answer.error.code, answer.error.message]).toEqual([
        401,
        'session_ended',
        supportMessage.ended,
      ])
    // A new grant does not wake the old visit.
    await grant()
    expect((await customers(support)).status).toBe(401)
  })

  it('is over when the Owner who let it in is the Owner no more; the new one decides anew', async () => {
    const { id } = await grant()
    const [support, code, admin] = [await enter(id), await codeFor(id), await business.admin()]
    await business.db(async (db) => {
      const role = (userId: string, name: 'Owner' | 'Admin') =>
        db
          .updateTable('users')
          .set({ role: name })
          .where('businessId', '=', business.id)
          .where('id', '=', userId)
          .execute()
      await role(business.owner.userId, 'Admin')
      await role(admin.userId, 'Owner')
    })
    expect((await customers(support)).error.message).toBe(supportMessage.ended)
    expect((await open(code)).status).toBe(404)
    expect((await desk.call(supportApi.makeCode, { params: { id } })).status).toBe(404)
    const get = await admin.api.ok(supportApi.get, {})
    expect([get.grant, get.visits.length]).toEqual([null, 1])
    const next = (await admin.api.ok(supportApi.grant, { body: { hours: 1 } })).grant
    expect(next?.id).not.toBe(id)
    expect((await customers(support)).status).toBe(401)
    expect((await customers(await enter(next?.id ?? ''))).status).toBe(200)
  })

  it('ends with its grant, after 8 hours at the latest, and when support leaves', async () => {
    const short = await enter((await grant(1)).id)
    await pass(3601)
    expect((await customers(short)).error.message).toBe(supportMessage.over)
    const { id } = await grant(72)
    const long = await enter(id)
    await pass(8 * 3600 - 5)
    expect((await customers(long)).status).toBe(200)
    await pass(6)
    expect((await customers(long)).error).toMatchObject({ code: 'session_ended', message: supportMessage.over })
    const third = await enter(id)
    await third.ok(supportApi.leave, {})
    expect((await customers(third)).error.message).toBe(supportMessage.left)
    expect((await visits()).map((visit) => visit.endedAt === null)).toEqual([false, false, false])
  })

  it('is nobody’s token: not a person’s, not the product owner’s, not another business’s', async () => {
    const support = await enter((await grant()).id)
    expect((await support.call(ownerApi.session, {})).status).toBe(401)
    expect((await support.call(supportApi.openGrants, {})).status).toBe(401)
    expect((await support.call(accountsApi.verify, {})).status).toBe(403)
    await expect(readCredential(support.token ?? '').then((read) => assertFor(read, 'swath'))).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    const other = await aBusiness()
    const visit = await aVisit(other)
    expect((await support.call(customersApi.get, { params: { id: visit.customerId } })).status).toBe(404)
    const { items } = await support.ok(customersApi.list, { query: {} })
    expect(items).toEqual([])
    for (const api of [business.api, desk, stranger]) expect((await api.call(supportApi.view, {})).status).toBe(401)
    const junk = await signOwnerToken({ name: 'owner', passwordHash: 'x' })
    expect((await customers(apiWith(junk))).status).toBe(401)
  })
})

describe('an answer to support', () => {
  it('has no link that would open something after the grant', () => {
    const token = 'a'.repeat(43)
    const answer = {
      text: `Pay here: https://swath.test/i/${token}. Or sign in: /login-success?token=${token}`,
      url: signedFilePath(business.id, newId()),
      cursor: 'b'.repeat(43),
    }
    const seen = JSON.parse(withoutLinks(JSON.stringify(answer))) as typeof answer
    expect(seen.text).toBe('Pay here: https://swath.test/i/hidden. Or sign in: /login-success?token=hidden')
    expect(seen.url).toMatch(/^data:image/)
    expect(seen.cursor).toBe(answer.cursor)
  })
})

describe('the log', () => {
  it('says what was looked at, in which visit, how often, first and last', async () => {
    const { id } = await grant()
    const [one, two] = [await enter(id), await enter(id)]
    const from = clock.iso()
    await Promise.all([customers(one), customers(one), one.call(customersApi.counts, {})])
    await pass(60)
    await customers(one)
    await one.call(invoicesApi.list, { query: {} })
    await one.call(notificationsApi.list, { query: {} })
    await one.call(customersApi.exportCsv, { query: {} })
    await two.call(businessesApi.get, {})
    const log = await visits()
    expect(log).toHaveLength(2)
    const entries = log.map((visit) => visit.entries.map(({ area, times }) => [area, times]))
    expect(entries).toContainEqual([['Settings', 1]])
    expect(entries).toContainEqual([
      ['Customers', 2],
      ['Invoices', 1],
    ])
    const first = log.find((visit) => visit.entries.length === 2)?.entries[0]
    expect(Date.parse(first?.firstAt ?? '') - Date.parse(from)).toBeLessThan(5_000)
    expect(Date.parse(first?.lastAt ?? '') - Date.parse(first?.firstAt ?? '')).toBeGreaterThan(55_000)
    await one.ok(supportApi.leave, {})
    await business.api.ok(supportApi.end, { params: { id } })
    const rows = await business.db((db) =>
      db
        .selectFrom('auditLog')
        .select(['action', 'actorKind'])
        .where('businessId', '=', business.id)
        .orderBy('id')
        .execute(),
    )
    expect(rows).toEqual([
      { action: 'support.grant', actorKind: 'user' },
      { action: 'support.open', actorKind: 'system' },
      { action: 'support.open', actorKind: 'system' },
      { action: 'support.leave', actorKind: 'system' },
      { action: 'support.end', actorKind: 'user' },
    ])
  })

  it('is told to the Owner by mail and bell, the first time on each grant', async () => {
    const { id } = await grant()
    await enter(id)
    await enter(id)
    const mails = () => mailsTo(business.id, business.owner.email)
    expect((await mails()).map((mail) => mail.subject)).toEqual(['Swath support opened Green Test Lawns'])
    expect((await mails())[0]?.bodyText).toContain('/profile#support')
    const bell = async () =>
      (await business.api.ok(notificationsApi.list, { query: {} })).notifications.map(({ title, path }) => [
        title,
        path,
      ])
    expect(await bell()).toEqual([['Swath support opened your business', '/profile#support']])
    await business.api.ok(supportApi.end, { params: { id } })
    await enter((await grant()).id)
    expect(await mails()).toHaveLength(2)
    expect(await bell()).toHaveLength(2)
  })
})

describe('the route map of a business with a road engine', () => {
  afterEach(() => configureTravelEngine(null))

  it('is shown to support without a write, and asks for roads when the office looks', async () => {
    const ask: TravelEngine['ask'] = async (sources, targets) => ({
      seconds: new Int32Array(sources.length * targets.length).fill(300),
      meters: new Int32Array(sources.length * targets.length).fill(3000),
    })
    const limits = { sources: 10, targets: 10, pairs: 80, places: 20 }
    configureTravelEngine({ id: `roads-${newId()}`, limits, keepDays: 30, bucketOf: () => 0, ask })
    const crewId = await aCrew(business, { members: [await business.employee()] })
    await aVisit(business, { crewId, latitude: 32.05, longitude: -81.1 })
    await aVisit(business, { crewId, latitude: 32.06, longitude: -81.11 })
    const roads = async () => {
      await runTasks()
      return business.db((db) =>
        db.selectFrom('travelTimes').select('businessId').where('businessId', '=', business.id).execute(),
      )
    }
    const support = await enter((await grant()).id)
    const seen = await support.call(routesApi.day, {})
    expect([seen.status, seen.body.estimated]).toEqual([200, 'all'])
    expect(await roads()).toEqual([])
    await business.api.ok(routesApi.day, {})
    expect((await roads()).length).toBeGreaterThan(0)
  })
})
