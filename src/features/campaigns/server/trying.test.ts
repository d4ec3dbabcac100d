import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { permissionPresets } from '../../../shared/roles.ts'
import { apiFor, runTasks } from '../../../test/api.ts'
import { aRow, begin, finish, make, text, withAddress, words } from '../../../test/campaignRow.ts'
import { aPerson } from '../../../test/factories.ts'
import { recordConsent, suppress } from '../../messages/server/commands.ts'
import { campaignsApi } from '../contract.ts'
import { campaignResultsApi } from '../results/contract.ts'
import { mostTestsAnHour } from '../rules.ts'

/** A test of a campaign to addresses that somebody types. */

let row: Awaited<ReturnType<typeof aRow>>
beforeEach(async () => {
  row = await aRow()
  await withAddress(row)
})
afterEach(resetClock)

const tests = () =>
  row.db((db) =>
    db
      .selectFrom('messages')
      .select(['address', 'subject', 'purpose', 'status', 'customerId', 'bodyHtml'])
      .where('businessId', '=', row.id)
      .where('entityType', '=', 'campaign_test')
      .orderBy('id')
      .execute(),
  )
const send = (id: string, to: unknown, more: { api?: typeof row.api; key?: string } = {}) =>
  (more.api ?? row.api).call(
    campaignsApi.test,
    { params: { id }, body: { language: 'en', variant: 'a', to } as never },
    more.key ? { 'idempotency-key': more.key } : {},
  )

describe('a test to other addresses', () => {
  it('goes to those that were typed, each once, marked as a test, and stands in the log', async () => {
    const { id } = await make(row)
    const answer = await send(id, [' Jim@Partner.test', 'ann@partner.test', 'jim@partner.test'])
    expect([answer.status, answer.body]).toEqual([200, { to: 'jim@partner.test, ann@partner.test' }])
    expect(await tests()).toMatchObject([
      { address: 'jim@partner.test', subject: 'Test: Aeration', purpose: 'reply', customerId: null },
      { address: 'ann@partner.test', subject: 'Test: Aeration', purpose: 'reply', customerId: null },
    ])
    const logged = await row.db((db) =>
      db
        .selectFrom('auditLog')
        .select(['actorId', 'entityId', 'after'])
        .where('businessId', '=', row.id)
        .where('action', '=', 'campaign.test')
        .execute(),
    )
    expect(logged).toEqual([
      {
        actorId: row.owner.userId,
        entityId: id,
        after: { to: 'jim@partner.test, ann@partner.test', language: 'en', variant: 'a' },
      },
    ])
  })

  it('leaves at once and is counted in no result, also where it goes to somebody of the audience', async () => {
    const { id } = await begin(row)
    await finish(row, id)
    const api = await apiFor(row.owner)
    const results = () => api.ok(campaignResultsApi.results, { params: { id } })
    const before = await results()
    expect(before.sent).toBe(3)
    expect((await send(id, ['ann@oak.test', 'jim@partner.test'], { api })).status).toBe(200)
    await runTasks()
    const sent = await tests()
    expect(sent.map(({ status }) => status)).toEqual(expect.arrayContaining([expect.stringMatching(/sent|delivered/)]))
    // no picture and no links that are counted
    for (const { bodyHtml } of sent) expect(bodyHtml).not.toMatch(/\/o\/|\/c\//)
    expect(await results()).toEqual(before)
  })

  it.each<[string, unknown, string]>([
    ['none', [], 'Write an e-mail address.'],
    ['too many', ['a@x.test', 'b@x.test', 'c@x.test', 'd@x.test', 'e@x.test', 'f@x.test'], 'At most 5 addresses'],
    ['one that is none', ['jim@partner.test', 'not-one'], '“not-one” is not an e-mail address.'],
    ['one with a line more', ['jim@partner.test\nbcc:x@y.test'], 'is not an e-mail address.'],
    ['no list', 'jim@partner.test', ''],
    ['an endless one', [`${'a'.repeat(300)}@x.test`], 'at most 254'],
  ])('is refused for %s, and nothing leaves', async (_, to, words) => {
    const { id } = await make(row)
    const answer = await send(id, to)
    expect(answer.status).toBe(422)
    expect(JSON.stringify(answer.error)).toContain(words)
    expect(await tests()).toEqual([])
  })

  it('names an address that is shut, came back or said no, and sends to none of them', async () => {
    const { id } = await make(row)
    await row.db(async (db) => {
      await suppress(db, 'email', 'gone@partner.test', 'all', 'The mailbox does not exist')
      await suppress(db, 'email', 'left@partner.test', 'marketing', 'Unsubscribed')
      await recordConsent(db, {
        channel: 'email',
        address: 'no@partner.test',
        purpose: 'marketing',
        action: 'revoke',
        source: 'test',
      })
    })
    const answer = await send(id, ['jim@partner.test', 'gone@partner.test', 'left@partner.test', 'no@partner.test'])
    expect([answer.status, answer.error.errors]).toEqual([
      422,
      [
        {
          path: 'to.1',
          message: 'Nothing can be sent to gone@partner.test: The mailbox does not exist. Nothing was sent.',
        },
        { path: 'to.2', message: 'Nothing can be sent to left@partner.test: Unsubscribed. Nothing was sent.' },
        { path: 'to.3', message: 'no@partner.test said no to offers. Nothing was sent.' },
      ],
    ])
    expect(await tests()).toEqual([])
  })

  it('is no way for texts, for another business’s campaign, or for one that says nothing', async () => {
    const byText = await make(row, { channel: 'sms', content: text })
    const refused = await send(byText.id, ['jim@partner.test'])
    expect([refused.status, refused.error.errors?.[0]?.message]).toEqual([
      422,
      expect.stringContaining('A text is tried on the number in your profile'),
    ])
    expect((await send(newId(), ['jim@partner.test'])).status).toBe(404)
    const empty = await make(row, { content: words({ subject: '' }) })
    expect((await send(empty.id, ['jim@partner.test'])).status).toBe(409)
    expect(await tests()).toEqual([])
  })

  it('is for who may send the campaign', async () => {
    const owing = await make(row, { conditions: [{ kind: 'balance', has: true }] })
    const { id } = await make(row)
    const dispatcher = (await aPerson(row.id, 'Admin', { permissions: [...permissionPresets.dispatcher] })).api
    const crew = (await aPerson(row.id, 'Employee')).api
    expect((await send(id, ['jim@partner.test'], { api: crew })).status).toBe(403)
    expect((await send(owing.id, ['jim@partner.test'], { api: dispatcher })).status).toBe(403)
    expect(await tests()).toEqual([])
    expect((await send(id, ['jim@partner.test'], { api: dispatcher })).status).toBe(200)
  })

  it(`takes ${mostTestsAnHour} an hour of a business, counted once for a doubled press; one's own are free`, async () => {
    const { id } = await make(row)
    const five = (n: number) => [1, 2, 3, 4, 5].map((at) => `p${n}${at}@partner.test`)
    const key = newId()
    expect((await send(id, five(1), { key })).status).toBe(200)
    expect((await send(id, five(1), { key })).status).toBe(200)
    expect(await tests()).toHaveLength(5)
    // two at once are counted one after the other
    const both = await Promise.all([send(id, five(2).slice(0, 4)), send(id, five(3).slice(0, 4))])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 429])
    expect(await tests()).toHaveLength(9)
    const over = await send(id, five(4).slice(0, 2))
    expect([over.status, over.error.message]).toEqual([
      429,
      expect.stringMatching(/10 test e-mails an hour .* 1 one is left\. Nothing was sent\. Try again in/),
    ])
    expect((await send(id, ['last@partner.test'])).status).toBe(200)
    expect((await send(id, ['one-more@partner.test'])).error.message).toContain('none is left')
    expect((await send(id, undefined)).status).toBe(200)
    expect(await tests()).toHaveLength(11)
    const ahead = clock.nowMs() + 3_600_000 - Date.now()
    setClock(() => new Date(Date.now() + ahead))
    const later = await apiFor(row.owner)
    expect((await send(id, ['later@partner.test'], { api: later })).status).toBe(200)
  })
})
