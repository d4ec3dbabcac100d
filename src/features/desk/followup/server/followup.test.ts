import { afterEach, beforeAll, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { withProspects } from '../../../../platform/db/prospects.ts'
import { newId } from '../../../../platform/ids.ts'
import { type Api, renewTestServer, stranger } from '../../../../test/api.ts'
import { anOwner, aProspect } from '../../../../test/prospects.ts'
import { callsApi } from '../../../prospects/calls/contract.ts'
import { leadsApi } from '../../../prospects/contract.ts'
import { deskApi } from '../../contract.ts'
import { followupApi } from '../contract.ts'

let owner: Api
beforeAll(async () => {
  await renewTestServer()
  owner = await anOwner()
})
afterEach(resetClock)

const leadOf = async (campaign: string) => (await owner.ok(deskApi.leads, { query: { campaign } })).leads
const historyOf = async (leadId: string) => (await owner.ok(followupApi.history, { params: { leadId } })).items

it('several leads get one status: the chosen ones, or all of a filter', async () => {
  const campaign = `c-${newId()}`
  const ids = [await aProspect({ campaign }), await aProspect({ campaign }), await aProspect({ campaign })]
  const other = await aProspect({ campaign: `c-${newId()}` })
  const [first = ''] = ids
  const some = { choice: { ids: ids.slice(0, 2) }, status: 'contacted' as const }
  expect(await owner.ok(followupApi.setStatuses, { body: some })).toEqual({ changed: 2 })
  expect((await leadOf(campaign)).map(({ status }) => status).sort()).toEqual(['contacted', 'contacted', 'new'])
  expect((await historyOf(first)).map(({ kind, text }) => [kind, text])).toEqual([['status', 'contacted']])
  const all = { choice: { filter: { campaign } }, status: 'closed' as const }
  expect(await owner.ok(followupApi.setStatuses, { body: all })).toEqual({ changed: 3 })
  expect(await owner.ok(followupApi.setStatuses, { body: all })).toEqual({ changed: 0 })
  expect(await historyOf(other)).toEqual([])
})

it('the leads of a filter come as a file that no spreadsheet runs', async () => {
  const campaign = `c-${newId()}`
  await aProspect({ campaign, name: '=HYPERLINK("http://evil.test","Dana")' })
  await aProspect({ campaign, name: 'Rob, the mower' })
  await aProspect({ name: 'Somebody else' })
  const { text, status } = await owner.call(followupApi.exportCsv, { query: { campaign } })
  expect(status).toBe(200)
  const lines = text.trimEnd().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toContain('Name,Email,Phone,Status')
  expect(lines[1]).toContain('"Rob, the mower"')
  expect(lines[2]).toMatch(/^"'=HYPERLINK/)
})

it('a note stays as it was written, with author and time, among the looks at pages', async () => {
  const visitId = newId()
  await stranger.ok(leadsApi.visit, { body: { visitId, path: '/pricing' } })
  const leadId = await aProspect({ visitId })
  setClock(() => new Date(Date.now() + 60_000))
  const note = await owner.ok(followupApi.addNote, {
    params: { leadId },
    body: { text: '  Wants a demo in spring.\nHas 3 crews. ' },
  })
  expect(note).toMatchObject({
    author: 'owner',
    text: 'Wants a demo in spring.\nHas 3 crews.',
  })
  expect((await historyOf(leadId)).map(({ kind, text, author }) => [kind, text, author])).toEqual([
    ['note', note.text, 'owner'],
    ['view', '/pricing', null],
  ])
  expect((await owner.call(followupApi.addNote, { params: { leadId }, body: { text: '  ' } })).status).toBe(422)
  expect((await owner.call(followupApi.addNote, { params: { leadId: newId() }, body: { text: 'x' } })).status).toBe(404)
  const change = withProspects((db) =>
    db.updateTable('leadNotes').set({ body: 'no' }).where('leadId', '=', leadId).execute(),
  )
  await expect(change).rejects.toThrow(/permission denied/)
})

it('a lead is unread until it is opened, and again when it answers', async () => {
  const campaign = `c-${newId()}`
  const leadId = await aProspect({ campaign })
  const unread = async () => [(await leadOf(campaign))[0]?.unread, (await owner.ok(deskApi.analytics, {})).unread]
  const [state, count] = await unread()
  expect(state).toBe('lead')
  await owner.ok(followupApi.markSeen, { params: { leadId } })
  expect(await unread()).toEqual([null, Number(count) - 1])
  const now = new Date(Date.now() + 1000).toISOString()
  await withProspects((db) =>
    db
      .insertInto('messages')
      .values({
        id: newId(),
        leadId,
        channel: 'sms',
        direction: 'inbound',
        purpose: 'reply',
        address: '+19125550123',
        bodyText: 'Yes!',
        status: 'received',
        dedupeKey: newId(),
        createdAt: now,
      } as never)
      .execute(),
  )
  expect(await unread()).toEqual(['answer', count])
  setClock(() => new Date(Date.now() + 5000))
  expect((await owner.ok(followupApi.markSeen, { params: { leadId } })).unread).toBeNull()
})

it('the agenda has the booked calls of today and the next seven days', async () => {
  const leadId = await aProspect({ name: 'Hollis Day' })
  const { slots } = await owner.ok(callsApi.slotsForOwner, { query: { minutes: 30 } })
  const [soon = '', late = ''] = [slots[0], slots.at(-1)]
  await owner.ok(callsApi.bookForLead, { params: { leadId }, body: { startsAt: soon, note: 'Two crews' } })
  await owner.ok(callsApi.bookForLead, { params: { leadId: await aProspect() }, body: { startsAt: late } })
  const { calls } = await owner.ok(followupApi.agenda, {})
  expect(calls.map(({ name, title, startsAt, note }) => [name, title, startsAt, note])).toEqual([
    ['Hollis Day', 'Demo', soon, 'Two crews'],
  ])
})
