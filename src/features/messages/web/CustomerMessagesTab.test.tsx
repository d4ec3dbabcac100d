import { screen, waitFor, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import { CustomerMessagesTab } from './CustomerMessagesTab.tsx'

const state = {
  phase: 'signedIn',
  user: {
    _id: '01a202c7-f2af-717a-8cad-ef17944daa01',
    role: 'Owner',
    permissions: [],
    business: { timeZone: 'America/New_York', subscription: { active: true } },
  },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session

const opened = (query: string, facts: object = {}) => {
  const lists: URLSearchParams[] = []
  answerWith((request) => {
    lists.push(new URL(request.url).searchParams)
    return {
      body: {
        items: [],
        nextCursor: null,
        unreadCount: 0,
        unreadConversationCount: 0,
        hasAny: true,
        waitingCount: 0,
        mineWaitingCount: 0,
        mineCount: 0,
        mineSnoozedCount: 0,
        snoozedCount: 0,
        lookedBackTo: null,
        ...facts,
      },
    }
  })
  show(
    <SessionContext value={session}>
      <MemoryRouter initialEntries={[`/customers?tab=messages${query}`]}>
        <CustomerMessagesTab />
      </MemoryRouter>
    </SessionContext>,
  )
  return lists
}

it.each([
  ['', { hasAny: false }, 'No conversation yet'],
  ['', {}, 'Nobody waits for us'],
  ['&state=open', {}, 'Everything is done'],
  ['&state=open', { snoozedCount: 1 }, 'Everything is done or snoozed'],
  ['&state=open&whose=mine', {}, 'Nothing is open'],
  ['&search=azalea', {}, 'Nothing found'],
  ['&unread=1', {}, 'Everything is read'],
  ['&unread=1&whose=mine', { unreadCount: 2 }, 'None of these is unread'],
])('an empty list %s says what is so, %#', async (query, facts, title) => {
  opened(query, facts)
  await screen.findByRole('heading', { name: title })
})

it('the unread are looked for in all states, and a number stands only at a chip that lists so many', async () => {
  const facts = { unreadCount: 3, unreadConversationCount: 2, mineCount: 4, snoozedCount: 5 }
  const lists = opened('&unread=1', facts)
  await screen.findByRole('button', { name: /^Unread\s*2$/ })
  await waitFor(() => expect(lists.at(-1)?.get('state')).toBe('all'))
  screen.getByRole('button', { name: 'Mine' })
})

it('among somebody’s own the numbers of all are not said', async () => {
  opened('&state=open&whose=mine', { unreadCount: 3, unreadConversationCount: 2, mineCount: 0, snoozedCount: 5 })
  await screen.findByRole('heading', { name: 'Nothing is open' })
  screen.getByRole('button', { name: 'Snoozed' })
  screen.getByRole('button', { name: 'Unread' })
})

it('without a filter in the address it shows who waits for us, with the number that the heading says', async () => {
  const lists = opened('', { waitingCount: 2, unreadCount: 1, mineWaitingCount: 0, mineSnoozedCount: 1 })
  await screen.findByText('2 conversations wait for us · 1 message is not read yet')
  screen.getByRole('button', { name: /^Waiting for us\s*2$/, pressed: true })
  expect(lists.at(-1)?.get('state')).toBe('waiting')
  // nothing of one's own waits, and one rests
  screen.getByRole('button', { name: /^Mine\s*0\s*\+ 1 snoozed$/ })
})

it('a search that looked at the newest messages only says how far back that was', async () => {
  opened('&search=azalea', { lookedBackTo: '2026-03-03T15:00:00.000Z' })
  await screen.findByText(
    /Words are looked for in the newest 20,000 messages and internal notes, back to Tue, Mar 3, 2026\./,
  )
})

it('a row that stands only because it is open says what was done with it', async () => {
  const id = '01a202c7-f2af-717a-8cad-ef17944daa02'
  const at = '2026-06-12T14:00:00Z'
  const last = { channel: 'sms', direction: 'inbound', text: 'When do you come?', status: 'received', createdAt: at }
  const row = {
    key: id,
    customer: { id, name: 'Ann Lee' },
    address: '+19125550101',
    last,
    unreadCount: 0,
    state: 'open',
    assignee: null,
    snoozedUntil: null,
  }
  const record = {
    can: { assign: false, snooze: false, close: true, reopen: false },
    customerId: id,
    address: null,
    state: 'open',
    unanswered: true,
    assignee: null,
    leftName: null,
    snoozedUntil: null,
    snoozedByName: null,
    closedAt: null,
    closedByName: null,
    version: 1,
  }
  const message = { ...last, id, direction: 'outbound', text: 'On Friday', subject: '', photos: [], files: [] }
  const answer = { ...message, purpose: 'transactional', status: 'queued', segments: 1, can: { resend: false } }
  let done = false
  answerWith((request) => {
    const { pathname } = new URL(request.url)
    if (pathname.endsWith('/messages/conversations'))
      return { body: { items: done ? [] : [row], nextCursor: null, hasAny: true, waitingCount: done ? 0 : 1 } }
    if (pathname.endsWith('/close')) done = true
    if (pathname.includes('/conversation/close') || pathname.endsWith('/conversation'))
      return { body: done ? { ...record, state: 'done', closedByName: 'Olive', version: 2 } : record }
    if (pathname.endsWith('/thread'))
      return { body: { items: done ? [{ kind: 'message', message: answer }] : [], nextCursor: null } }
    if (pathname.endsWith('/contact')) return { body: { id, name: 'Ann Lee', phone: null, email: null } }
    return { body: { items: [] } }
  })
  const { user } = show(
    <SessionContext value={session}>
      <MemoryRouter initialEntries={[`/customers?tab=messages&with=${id}`]}>
        <CustomerMessagesTab />
      </MemoryRouter>
    </SessionContext>,
  )
  const list = within(screen.getByRole('region', { name: 'Conversations' }))
  const shown = () => list.getByRole('link', { name: /Ann Lee/ }).textContent
  await waitFor(() => expect(shown()).toContain('When do you come?'))
  expect(shown()).not.toContain('Done')
  const talk = within(screen.getByRole('region', { name: 'Conversation' }))
  await user.click(await talk.findByRole('button', { name: 'Done' }))
  await waitFor(() => expect(shown()).toContain('Done'))
  await waitFor(() => expect(shown()).toContain('You: On Friday'))
})

it('a conversation that was found by an internal note says so', async () => {
  const key = '+19125550101'
  const last = { direction: 'outbound', text: '…has a new dog', status: 'sent', createdAt: '2026-06-12T14:00:00Z' }
  const row = { key, customer: null, address: key, unreadCount: 0, state: 'done', assignee: null, snoozedUntil: null }
  opened('&search=dog', { items: [{ ...row, last: { ...last, channel: 'note' } }] })
  const found = await screen.findByRole('link', { name: /Internal note/ })
  expect(found.textContent).toContain('Note: …has a new dog')
})

it('the thread of a number that is a customer’s by now leads to the customer', async () => {
  const id = '01a202c7-f2af-717a-8cad-ef17944daa02'
  const address = '+19125550101'
  const message = {
    ...{ id: '01a202c7-f2af-717a-8cad-ef17944daa10', channel: 'sms', direction: 'inbound', purpose: 'reply', address },
    ...{ subject: '', text: 'Do you mow on the island?', status: 'received', reason: null, segments: 1 },
    ...{ createdAt: '2026-06-12T14:00:00Z', photos: [], files: [], notKept: null, stopDoubt: null },
    ...{ customer: { id, name: 'Bo Lind' }, can: { resend: false } },
  }
  answerWith((request) => {
    const { pathname } = new URL(request.url)
    if (pathname.endsWith('/thread')) return { body: { items: [{ kind: 'message', message }], nextCursor: null } }
    if (pathname.endsWith('/contact')) return { body: { id, name: 'Bo Lind', phone: address, email: null } }
    if (pathname.endsWith('/conversation'))
      return {
        body: {
          ...{ can: { assign: false, snooze: false, close: false, reopen: false }, customerId: id, address: null },
          ...{ state: 'open', unanswered: true, assignee: null, leftName: null, snoozedUntil: null },
          ...{ snoozedByName: null, closedAt: null, closedByName: null, version: 1 },
        },
      }
    return { body: { items: [] } }
  })
  show(
    <SessionContext value={session}>
      <MemoryRouter initialEntries={[`/customers?tab=messages&with=${encodeURIComponent(address)}`]}>
        <CustomerMessagesTab />
      </MemoryRouter>
    </SessionContext>,
  )
  await screen.findByRole('heading', { name: 'Bo Lind' })
  expect(screen.queryByText('Not one of your customers')).toBeNull()
})

it.each([
  ['STOP', 'They want no texts: they replied STOP, and get none from you. Nothing is to be done.', 0],
  ['Do you mow on Oak Street?', /^Answer from the lead that this number became/, 1],
])('a number that nobody knows and that wrote %s is a lead or is none', async (text, words, leads) => {
  const address = '+19125550986'
  const message = { id: '01a202c7-f2af-717a-8cad-ef17944daa04', channel: 'sms', direction: 'inbound', customer: null }
  const more = { address, subject: '', text, status: 'received', purpose: 'reply', segments: 1, photos: [], files: [] }
  const at = { createdAt: '2026-06-12T14:00:00Z', can: { resend: false }, reason: null, runAfter: null }
  answerWith((request) => {
    const { pathname } = new URL(request.url)
    if (pathname.endsWith('/thread') || pathname.endsWith('/messages'))
      return { body: { items: [{ kind: 'message', message: { ...message, ...more, ...at } }], nextCursor: null } }
    const can = { assign: false, snooze: false, close: false, reopen: false }
    return { body: { items: [], nextCursor: null, hasAny: true, can, state: 'open', version: 0 } }
  })
  show(
    <SessionContext value={session}>
      <MemoryRouter initialEntries={[`/customers?tab=messages&with=${encodeURIComponent(address)}`]}>
        <CustomerMessagesTab />
      </MemoryRouter>
    </SessionContext>,
  )
  await screen.findByText(words)
  expect(screen.queryAllByText('See the lead')).toHaveLength(leads)
})
