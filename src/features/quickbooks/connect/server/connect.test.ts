import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askLocalBooks, giveCode, realmNamed } from '../../../../local/books/ledger.ts'
import { erase, inBooks, read } from '../../../../local/books/store.ts'
import { systemActor } from '../../../../platform/actor.ts'
import { booksPeer } from '../../../../platform/books/peer.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { asBusinessId } from '../../../../platform/db/tenant.ts'
import { decryptField } from '../../../../platform/keys.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { comeBack, signInAgain, withBooks } from '../../../../test/books.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { quickbooksApi } from '../../contract.ts'
import { accessToken } from './token.ts'

const noon = new Date('2026-06-10T16:00:00Z')
let now = noon
beforeEach(() => {
  now = noon
  setClock(() => now)
})
afterEach(resetClock)
const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000)
}

const rowOf = (own: TestBusiness) =>
  own.db((db) =>
    db.selectFrom('booksConnections').selectAll().where('businessId', '=', own.id).executeTakeFirstOrThrow(),
  )
const finish = (own: Pick<TestBusiness, 'api'>, body: Awaited<ReturnType<typeof comeBack>>) =>
  own.api.call(quickbooksApi.finish, { body })
const traded = (realm: string) => inBooks((tx) => read<{ count: number }>(tx, realm, '_counter', 'tokens'))
const peerOf = () => {
  const { peer } = booksPeer()
  if (!peer) throw new Error('Nobody keeps books.')
  return peer
}
const token = (own: TestBusiness) => accessToken(systemActor(asBusinessId(own.id)), peerOf())

describe('connecting', () => {
  it('leads there and back to a connection, with its tokens encrypted', async () => {
    const own = await aBusiness()
    expect(await own.api.ok(quickbooksApi.get, {})).toMatchObject({
      state: 'none',
      livemode: false,
      can: { connect: true, disconnect: false, setUp: false, send: false },
    })
    const body = await comeBack(own, `Books of ${own.id}`)
    expect((await finish(own, body)).body).toMatchObject({ state: 'setUp', companyName: `Books of ${own.id}` })
    const row = await rowOf(own)
    expect(row.refreshCipher).not.toContain('rt-')
    expect(decryptField(row.refreshCipher ?? '')).toMatch(/^rt-/)
  })

  it('comes back twice, at once and later, to the same connection and one traded code', async () => {
    const own = await aBusiness()
    const body = await comeBack(own, own.id)
    const both = await Promise.all([finish(own, body), finish(own, body)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect((await finish(own, body)).body.state).toBe('setUp')
    expect((await traded(body.realmId))?.count).toBe(1)
  })

  it('refuses what was begun by somebody else, for another business, too long ago, or with a made up company', async () => {
    const [own, other] = [await aBusiness(), await aBusiness()]
    const body = await comeBack(own, own.id)
    expect((await finish(other, body)).status).toBe(409)
    expect((await finish(own, { ...body, state: 'forged' })).status).toBe(409)
    // the code opens another company than the browser says
    expect((await finish(own, { ...body, realmId: realmNamed('somebody') })).status).toBe(503)
    const old = await comeBack(own, own.id)
    later(16)
    await signInAgain(own)
    expect((await finish(own, old)).status).toBe(409)
    expect((await own.api.ok(quickbooksApi.get, {})).state).toBe('none')
  })

  it('says that leave was not given, and changes nothing', async () => {
    const own = await aBusiness()
    const { state } = await comeBack(own, own.id)
    const refused = await finish(own, { state, code: '', realmId: '', error: 'access_denied' })
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('did not let Swath in')])
  })

  it('refuses a company that another business has, until that one lets go', async () => {
    const [own, other] = [await aBusiness(), await aBusiness()]
    const company = `Shared ${own.id}`
    await finish(own, await comeBack(own, company))
    const refused = await finish(other, await comeBack(other, company))
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('another business')])
    await own.api.ok(quickbooksApi.disconnect, {})
    expect((await finish(other, await comeBack(other, company))).status).toBe(200)
    // and a second company beside the first is refused with the way out
    const second = await finish(other, await comeBack(other, `${company} 2`))
    expect([second.status, second.error.message]).toEqual([409, expect.stringContaining('Disconnect it first')])
  })

  it('is the owner’s; the office with money looks, a crew does not', async () => {
    const own = await aBusiness()
    const [admin, crew] = [await own.admin(), await own.employee()]
    expect((await admin.api.call(quickbooksApi.connect, {})).status).toBe(403)
    expect((await admin.api.ok(quickbooksApi.get, {})).can.connect).toBe(false)
    expect((await crew.api.call(quickbooksApi.get, {})).status).toBe(403)
  })
})

describe('the sign-in of the books', () => {
  it('is renewed once, however many ask at the same moment, and kept before it is used', async () => {
    const own = await aBusiness()
    const { realm } = await withBooks(own)
    const before = await rowOf(own)
    later(59)
    const tokens = await Promise.all([token(own), token(own), token(own), token(own)])
    expect(new Set(tokens).size).toBe(1)
    expect((await traded(realm))?.count).toBe(2)
    const after = await rowOf(own)
    expect(decryptField(after.accessCipher ?? '')).toBe(tokens[0])
    expect(after.tokenVersion).toBe(before.tokenVersion + 1)
  })

  it('that ran out says so once, keeps what waits, and goes on after connecting again', async () => {
    const own = await aBusiness()
    const books = await withBooks(own)
    const { refreshCipher } = await rowOf(own)
    await inBooks((tx) => erase(tx, '', '_refresh', decryptField(refreshCipher ?? '')))
    later(61)
    await signInAgain(own)
    for (let n = 0; n < 2; n++) await expect(token(own)).rejects.toThrow()
    expect(await own.api.ok(quickbooksApi.get, {})).toMatchObject({
      state: 'reconnect',
      can: { connect: true, send: false },
    })
    const told = (await own.api.ok(notificationsApi.list, {})).notifications.filter(({ title }) =>
      title.includes('QuickBooks'),
    )
    expect(told).toHaveLength(1)
    const back = await comeBack(own, own.id)
    expect((await finish(own, { ...back, code: await giveCode(books.realm) })).body.state).toBe('connected')
  })

  it('is given back by a disconnect, and the same company goes on where it stopped', async () => {
    const own = await aBusiness()
    const { realm } = await withBooks(own)
    const refresh = decryptField((await rowOf(own)).refreshCipher ?? '')
    expect((await own.api.ok(quickbooksApi.disconnect, {})).state).toBe('none')
    await runTasks()
    const answer = await askLocalBooks(`http://localhost/local/books/token`, {
      method: 'POST',
      headers: {},
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refresh }).toString(),
    })
    expect(answer.status).toBe(400)
    expect((await own.api.call(quickbooksApi.disconnect, {})).status).toBe(409)
    expect((await finish(own, await comeBack(own, own.id))).body.state).toBe('connected')
    expect((await rowOf(own)).realmId).toBe(realm)
  })
})

describe('its pages on this computer', () => {
  it('ask before they connect, and lead back with a code or without', async () => {
    const own = await aBusiness()
    const { url } = await own.api.ok(quickbooksApi.connect, {})
    const page = await stranger.raw({ method: 'GET', url })
    expect(page.text).toContain('Connect test books')
    const post = (payload: string) =>
      stranger.raw({ method: 'POST', url, payload, headers: { 'content-type': 'application/x-www-form-urlencoded' } })
    const there = await post('choice=go&company=Ours')
    expect(there.status).toBe(303)
    expect(String(there.headers.location)).toMatch(/^\/quickbooks\?state=.*code=code-.*realmId=\d+/)
    expect(String((await post('choice=cancel&company=Ours')).headers.location)).toContain('error=access_denied')
    expect((await stranger.raw({ method: 'GET', url: '/local/books/look/1/guess' })).status).toBe(404)
  })
})
