import { screen, waitFor, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { ToastHost } from '../../../ui/ToastHost.tsx'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import type { Review, ReviewSummary } from '../contract.ts'
import { ReviewsTab } from './ReviewsTab.tsx'

const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: [], business: { timeZone: 'America/New_York', subscription: { active: true } } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session

const none = {
  reply: false,
  editReply: false,
  withdrawReply: false,
  handle: false,
  hide: false,
  show: false,
  keepHidden: false,
}
const review: Review = {
  id: '01a202c7-f2af-717a-8cad-ef17944daa01',
  customerId: '01a202c7-f2af-717a-8cad-ef17944daa02',
  customerName: 'Rosa Marsh',
  visitId: '01a202c7-f2af-717a-8cad-ef17944daa03',
  jobId: '01a202c7-f2af-717a-8cad-ef17944daa04',
  visitDay: '2026-06-11',
  stars: 5,
  words: 'Neat edges.',
  author: 'Rosa M.',
  city: 'Savannah',
  published: true,
  answeredAt: '2026-06-12T16:00:00Z',
  changedAt: null,
  handledAt: null,
  reply: '',
  repliedAt: null,
  repliedByName: null,
  repliedBefore: false,
  hiddenReason: null,
  hiddenNote: '',
  hiddenAt: null,
  hiddenByName: null,
  hiddenChangedAt: null,
  version: 1,
  can: { ...none, reply: true, hide: true },
}
const summary: ReviewSummary = {
  average: 4.9,
  count: 12,
  counts: [0, 0, 0, 1, 11],
  enabled: true,
  pageOn: true,
  askedCount: 20,
  answeredCount: 12,
}
const empty = { ...summary, average: null, count: 0, counts: [0, 0, 0, 0, 0], askedCount: 0, answeredCount: 0 }
const failed = { status: 500, body: { code: 'internal', message: 'This did not work on our side.', requestId: 'r' } }

type Case = { summary?: object; items?: Review[] | 'failing'; write?: (request: Request) => unknown }

const open = ({ summary: figures = summary, items = [review], write }: Case) => {
  const asked = answerWith(async (request) => {
    if (request.method !== 'GET') return { body: (await write?.(request)) ?? review }
    if (new URL(request.url).pathname.endsWith('/summary')) return { body: figures }
    return items === 'failing' ? failed : { body: { items, nextCursor: null } }
  })
  return {
    asked,
    ...show(
      <SessionContext value={session}>
        <MemoryRouter initialEntries={['/customers?tab=reviews']}>
          <ReviewsTab />
        </MemoryRouter>
        <ToastHost />
      </SessionContext>,
    ),
  }
}

it('without a review says what will stand there, and that nobody is asked yet', async () => {
  open({ summary: { ...empty, enabled: false }, items: [] })
  await screen.findByText('No review yet')
  await screen.findByText('Nobody is asked yet')
  expect(screen.getByRole('link', { name: 'Set it up' }).getAttribute('href')).toContain('#reviews')
})

it('says that nobody reads them while the public page is off', async () => {
  open({ summary: { ...summary, pageOn: false } })
  await screen.findByText('Your public page is off')
})

it('that could not be loaded is asked for again, and the figures stay', async () => {
  const { user, asked } = open({ items: 'failing' })
  await screen.findByText('We could not load the reviews')
  await screen.findByText('4.9')
  const before = asked.length
  await user.click(screen.getByRole('button', { name: /try again/i }))
  await waitFor(() => expect(asked.length).toBeGreaterThan(before))
})

it('shows figures, whose it is and what may be done; one whose visit is gone leads to none', async () => {
  const gone = { ...review, id: '01a202c7-f2af-717a-8cad-ef17944daa05', customerName: 'Jim Oak', stars: 2 }
  open({ items: [review, { ...gone, visitId: null, jobId: null, visitDay: null, can: { ...none, handle: true } }] })
  const [first, other] = await screen.findAllByRole('article')
  if (!first || !other) throw new Error('two are shown')
  within(first).getByText('On your page')
  within(first).getByRole('link', { name: /visit of/ })
  within(first).getByRole('button', { name: 'Reply' })
  expect(within(other).queryByRole('link', { name: /visit of/ })).toBeNull()
  within(other).getByText('Needs you')
  within(other).getByRole('button', { name: 'Taken care of' })
  await screen.findByText('12 of 20 answered')
})

it('keeps a hidden one that was changed hidden, by one press', async () => {
  const hidden: Review = {
    ...review,
    hiddenReason: 'personal_data',
    hiddenNote: 'Names our crew lead',
    hiddenAt: '2026-06-13T16:00:00Z',
    hiddenChangedAt: '2026-06-14T16:00:00Z',
    can: { ...none, show: true, keepHidden: true },
  }
  const { user, asked } = open({ items: [hidden] })
  await screen.findByText('Changed since you hid it')
  screen.getByRole('button', { name: 'Show it again' })
  await user.click(screen.getByRole('button', { name: 'Keep it hidden' }))
  await waitFor(() => expect(asked).toContain(`POST /api/reviews/${hidden.id}/keep-hidden`))
})

it('changes a reply, which is older than the words and says so, and takes it back after a question', async () => {
  const replied: Review = {
    ...review,
    reply: 'Thank you!',
    repliedAt: '2026-06-12T17:00:00Z',
    repliedByName: 'Ann Owner',
    changedAt: '2026-06-13T17:00:00Z',
    repliedBefore: true,
    can: { ...none, editReply: true, withdrawReply: true },
  }
  const sent: unknown[] = []
  const { user, asked } = open({
    items: [replied],
    write: async (request) => void sent.push(await request.json()),
  })
  await screen.findByText(/Written before the review was changed/)
  await user.click(screen.getByRole('button', { name: 'Change reply' }))
  const dialog = await screen.findByRole('dialog')
  const words = within(dialog).getByLabelText('Your reply')
  expect((words as HTMLTextAreaElement).value).toBe('Thank you!')
  await user.type(words, ' Again.')
  await user.click(within(dialog).getByRole('button', { name: 'Save reply' }))
  await waitFor(() => expect(sent).toEqual([{ words: 'Thank you! Again.', version: 1 }]))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(screen.getByRole('button', { name: 'Take reply back' }))
  await user.click(await screen.findByRole('button', { name: 'Take it back' }))
  await waitFor(() => expect(asked).toContain(`POST /api/reviews/${review.id}/withdraw-reply`))
})
