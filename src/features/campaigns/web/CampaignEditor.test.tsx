import { screen, waitFor, within } from '@testing-library/react'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import { contentProblems, noWords } from '../content/rules.ts'
import { type Campaign, campaignsApi } from '../contract.ts'
import { CampaignsTab } from './CampaignsTab.tsx'

const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: [], business: { timeZone: 'America/New_York' } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const id = '00000000-0000-4000-8000-000000000001'
const surroundings = { name: 'Oak Lawn', hasAddress: true, hasPhone: true, hasPage: true, hasPortal: true }
const may = { update: true, remove: true, schedule: true, start: true, copy: true, test: true }

const fresh = (changes: Partial<Campaign> = {}): Campaign => ({
  ...{ id, name: 'Fall', channel: 'email', status: 'draft', startsAt: null, startedAt: null, endedAt: null },
  ...{ pauseReason: null, chosen: 0, isSorted: false, heldOut: 0, leftOut: 0, queued: 0, byName: null },
  ...{ createdAt: '2026-09-01T12:00:00.000Z', version: 1, conditions: [], test: null, holdoutPercent: 0, perHour: 300 },
  content: { en: { ...noWords, blocks: [{ kind: 'text', text: '' }] }, es: noWords },
  can: { ...may, unschedule: false, pause: false, resume: false, cancel: false },
  ...{ leaveOutRecent: false, nextAt: null, decideAt: null, decidedAt: null, winner: null, pausedAt: null },
  ...{ pictures: {}, surroundings, problems: [] },
  ...changes,
})

type Options = { reached?: number; refuses?: () => { path: string; message: string } | null }

/** A server with one campaign, which takes what its contract takes. */
const open = (campaign: Campaign, step: string, { reached = 3, refuses = () => null }: Options = {}) => {
  let stored = campaign
  const counts = { email: reached, sms: reached }
  const reasons = { email: [], sms: [] }
  answerWith(async (request) => {
    const { pathname } = new URL(request.url)
    const refused = (errors: { path: string; message: string }[]) => ({
      status: 422,
      body: { code: 'validation_failed', message: 'Validation error', errors },
    })
    if (pathname === '/api/segments/count')
      return {
        body: { chosen: 3, looked: 3, reached: counts, reasons, recent: 0, recentReached: { email: 0, sms: 0 } },
      }
    if (pathname === '/api/segments' || pathname.startsWith('/api/services')) return { body: { items: [] } }
    if (pathname === '/api/campaigns/preview')
      return { body: { html: '', darkHtml: '', text: 'x', subject: '', segments: 1 } }
    if (pathname === '/api/campaigns') return { body: { items: stored.startedAt ? [stored] : [], nextCursor: null } }
    if (pathname.endsWith('/results') || pathname.endsWith('/billed') || pathname.endsWith('/people'))
      return { status: 503, body: { code: 'internal', message: 'x' } }
    if (pathname === `/api/campaigns/${id}` && request.method === 'PATCH') {
      const refusal = refuses()
      if (refusal) return refused([refusal])
      const parsed = campaignsApi.update.body.safeParse(await request.json())
      if (!parsed.success)
        return refused(parsed.error.issues.map(({ path, message }) => ({ path: `body.${path.join('.')}`, message })))
      const { version, ...changes } = parsed.data
      stored = { ...stored, ...(changes as Partial<Campaign>), version: version + 1 }
      stored.problems = contentProblems(stored.channel, stored.content, stored.test !== null, surroundings)
    }
    return { body: stored }
  })
  const router = createMemoryRouter([{ path: '/tools', element: <CampaignsTab /> }], {
    initialEntries: [`/tools?tab=campaigns&campaignId=${id}${step === 'who' ? '' : `&step=${step}`}`],
  })
  const shown = show(
    <SessionContext value={session}>
      <RouterProvider router={router} />
    </SessionContext>,
  )
  return { ...shown, router, stored: () => stored }
}

const box = (name: string | RegExp) => screen.findByRole<HTMLInputElement>('textbox', { name })
const asksToClose = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
const button = { kind: 'button', label: '', to: 'url', url: '' } as const
const withButton = () =>
  fresh({ content: { en: { ...noWords, blocks: [{ kind: 'text', text: '' }, button] }, es: noWords } })

it('saves what is typed beside an address that leads nowhere, and says what is wrong at the address', async () => {
  const { user, router, stored } = open(withButton(), 'what')
  await user.type(await box('Words on it'), 'Book')
  await user.type(await box('Address'), 'www.palmetto .example')
  await user.type(await box('Subject'), 'Air for your lawn')
  await user.type(await box('Part 1: text'), 'Hello')
  await screen.findByText(/No link can lead there/)
  expect(within((await box('Address')).closest('.ui-field') as HTMLElement).getByText(/No link can lead/)).toBeTruthy()
  expect((await box('Words on it')).getAttribute('aria-invalid')).toBeNull()
  expect(screen.queryByText('A subject is needed.')).toBeNull()
  await user.click(screen.getByRole('link', { name: 'All campaigns' }))
  await screen.findByText('No campaign yet')
  expect(router.state.location.search).not.toContain(id)
  expect(stored().content.en).toMatchObject({
    subject: 'Air for your lawn',
    blocks: [
      { kind: 'text', text: 'Hello' },
      { label: 'Book', url: 'www.palmetto .example' },
    ],
  })
})

it('puts https:// before an address as its field is left', async () => {
  const { user, stored } = open(withButton(), 'what')
  await user.type(await box('Address'), 'palmetto.example/book')
  await user.tab()
  expect((await box('Address')).value).toBe('https://palmetto.example/book')
  await waitFor(() => expect(stored().content.en.blocks[1]).toMatchObject({ url: 'https://palmetto.example/book' }))
  expect(screen.queryByText(/No link can lead/)).toBeNull()
})

it('says nothing of an empty field before it was left, and nothing old once it is filled', async () => {
  const { user } = open(fresh(), 'what')
  const subject = await box('Subject')
  expect(screen.queryByText('A subject is needed.')).toBeNull()
  await user.click(subject)
  await user.tab()
  await screen.findByText('A subject is needed.')
  expect(screen.queryByText(/Write something here/)).toBeNull()
  await user.type(subject, 'A')
  expect(screen.queryByText('A subject is needed.')).toBeNull()
})

it('says all that is missing once a test was asked for, an empty picture too', async () => {
  const { user } = open(
    fresh({
      content: {
        en: { ...noWords, blocks: [{ kind: 'picture', fileId: '00000000-0000-0000-0000-000000000000', alt: '' }] },
        es: noWords,
      },
    }),
    'what',
  )
  await user.click(await screen.findByRole('button', { name: 'Send me a test' }))
  await screen.findByText('A subject is needed.')
  screen.getByText('Choose a picture, or take this part out.')
})

it('asks before it is left with something that is not saved', async () => {
  let refusal: { path: string; message: string } | null = { path: 'body.name', message: 'Another one has this name.' }
  const { user, router, stored } = open(fresh(), 'who', { refuses: () => refusal })
  await user.type(await box('Name of the campaign'), '!')
  expect(asksToClose()).toBe(true)
  await screen.findByText('Not saved')
  const leave = () => user.click(screen.getByRole('link', { name: 'All campaigns' }))
  await leave()
  const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' })
  within(dialog).getByText(/Another one has this name/)
  await user.click(within(dialog).getByRole('button', { name: 'Stay here' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect((await box('Name of the campaign')).value).toBe('Fall!')
  refusal = null
  await leave()
  await screen.findByText('No campaign yet')
  expect([stored().name, router.state.location.search.includes(id), asksToClose()]).toEqual(['Fall!', false, false])
})

it('is left without a save by who wants that', async () => {
  const { user, stored } = open(fresh(), 'who', { refuses: () => ({ path: 'body.name', message: 'No.' }) })
  await user.type(await box('Name of the campaign'), '!')
  await user.click(screen.getByRole('link', { name: 'All campaigns' }))
  await user.click(await screen.findByRole('button', { name: 'Leave without saving' }))
  await screen.findByText('No campaign yet')
  expect([stored().name, asksToClose()]).toEqual(['Fall', false])
})

it('a condition without a value says that it needs one and keeps it from leaving', async () => {
  const { user } = open(
    fresh({ content: { en: { ...noWords, subject: 'A', blocks: [{ kind: 'text', text: 'B' }] }, es: noWords } }),
    'who',
  )
  await user.selectOptions(await screen.findByLabelText('Add a condition'), 'city')
  const needs = /The condition City needs a value/
  await screen.findByText(needs)
  await screen.findByText('Saved, but for a condition without a value')
  await user.click(screen.getByRole('button', { name: '3. When' }))
  await screen.findByText(needs)
  const send = await screen.findByRole<HTMLButtonElement>('button', { name: /^Send to/ })
  expect([send.disabled, screen.getByRole<HTMLButtonElement>('button', { name: 'Schedule' }).disabled]).toEqual([
    true,
    true,
  ])
})

const written = { en: { ...noWords, subject: 'A', blocks: [{ kind: 'text' as const, text: 'B' }] }, es: noWords }

it('goes to nobody with the reason in sight', async () => {
  open(fresh({ content: written }), 'when', { reached: 0 })
  await screen.findByText('It would reach nobody')
  for (const name of ['Schedule', /^Send to/])
    expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true)
})

it('leads from the choice of two subjects to where the second one is written', async () => {
  const { user } = open(fresh({ content: written, test: { percent: 20, hours: 4, by: 'opens' } }), 'when')
  await user.click(await screen.findByRole('button', { name: 'Write subject B' }))
  await box('Subject B')
})

it('speaks of mail servers in a mail only', async () => {
  open(fresh({ channel: 'sms', content: { en: { ...noWords, text: 'Hi, Oak Lawn' }, es: noWords } }), 'when')
  await screen.findByText(/you can answer who writes back/)
  expect(screen.queryByText(/mail servers/)).toBeNull()
})

it('a campaign that has begun tells the same moment in the list and on its page, by the named clock of the business', async () => {
  const begun = { startedAt: '2026-11-06T15:40:00.000Z', endedAt: '2026-11-06T20:40:00.000Z', queued: 53 }
  const { user } = open(fresh({ status: 'finished', isSorted: true, chosen: 53, ...begun }), 'who')
  const moment = /begun Fri, Nov 6, 10:40 AM Eastern Time/i
  await screen.findByText(moment)
  screen.getByText(/ended Fri, Nov 6, 3:40 PM Eastern Time/)
  await user.click(screen.getByRole('link', { name: 'All campaigns' }))
  await screen.findByRole('list', { name: 'Campaigns' })
  await screen.findByText(moment)
})

it('a running campaign counts the same people in the list and on its page, in the usual color', async () => {
  const running = {
    status: 'running',
    startedAt: '2026-11-06T15:40:00.000Z',
    chosen: 102,
    leftOut: 49,
    queued: 1,
  } as const
  const { user } = open(fresh({ ...running, isSorted: true }), 'who')
  const bar = await screen.findByRole('progressbar', { name: 'On its way' })
  expect(bar.closest('.ui-progress')?.className).toContain('ui-progress--done')
  screen.getByText('1 of 53')
  await user.click(screen.getByRole('link', { name: 'All campaigns' }))
  await screen.findByText(/1 of 53$/)
})

it('says who it was for and what it says before the rows of its audience', async () => {
  open(fresh({ status: 'running', startedAt: '2026-09-02T12:00:00.000Z' }), 'who')
  const heads = () => screen.getAllByRole('heading').map(({ textContent }) => textContent)
  await screen.findByRole('heading', { name: 'Audience' })
  const cards = ['Who it was for', 'What it says', 'Audience']
  expect(heads().filter((head) => cards.includes(head ?? ''))).toEqual(cards)
})
