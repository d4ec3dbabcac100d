import { screen, waitFor } from '@testing-library/react'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import { automationsApi } from '../contract.ts'
import { usualOf } from '../kinds/rules.ts'
import { AutomationsTab } from './AutomationsTab.tsx'

const business = { timeZone: 'America/New_York', subscription: { active: true } }
const session = (permissions?: string[]) => {
  const state = {
    phase: 'signedIn',
    user: { _id: 'u1', role: permissions ? 'Admin' : 'Owner', permissions: permissions ?? [], business },
  }
  return { subscribe: () => () => undefined, get: () => state } as unknown as Session
}
const id = '00000000-0000-4000-8000-000000000001'

/** A server that keeps what is made, and the screen at an address of it. */
const open = (query = '', permissions?: string[]) => {
  const made: Record<string, unknown>[] = []
  const record = () => ({
    ...{ id, kind: 'visit_done', enabled: false, enabledAt: null, archived: false, sentCount: 0, waitingCount: 0 },
    ...{ version: 1, ...usualOf('visit_done'), ...made[0] },
  })
  const asked = answerWith(async (request) => {
    const { pathname } = new URL(request.url)
    if (request.method === 'POST' && pathname === '/api/automations') {
      const body = automationsApi.create.body.parse(await request.json())
      made.push(body)
      // a slow line, on which people press twice
      await new Promise((go) => setTimeout(go, 30))
      return { body: record() }
    }
    if (pathname === '/api/automations')
      return {
        body: { items: made.length > 0 ? [record()] : [], settings: { mostWeekly: 3, version: 0 }, waitingCount: 0 },
      }
    if (pathname === `/api/automations/${id}`) return { body: record() }
    if (pathname === '/api/automation-choices') return { body: { tags: [], cities: [] } }
    return { body: { items: [], nextCursor: null } }
  })
  const router = createMemoryRouter([{ path: '/customers', element: <AutomationsTab /> }], {
    initialEntries: [`/customers?tab=automations${query}`],
  })
  const { user } = show(
    <SessionContext value={session(permissions)}>
      <RouterProvider router={router} />
    </SessionContext>,
  )
  const at = () => router.state.location.search
  return { user, made, at, router, writes: () => asked.filter((one) => !one.startsWith('GET')) }
}
const setUp = async ({ user }: { user: ReturnType<typeof open>['user'] }) => {
  await user.click(await screen.findByRole('button', { name: 'Set up A visit is done' }))
  await screen.findByRole('heading', { name: 'Set up: A visit is done', level: 1 })
}
const english = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'English' })

it('"Set up" opens a form as usual for its kind, and writes nothing; who changed nothing leaves unasked', async () => {
  const shown = open()
  await setUp(shown)
  expect(english().value).toBe(usualOf('visit_done').textEn)
  await shown.user.click(screen.getByRole('link', { name: 'Cancel' }))
  await screen.findByRole('button', { name: 'Set up A visit is done' })
  expect(shown.writes()).toEqual([])
})

it('asks before what was typed is left, and leaves nothing of it behind', async () => {
  const shown = open()
  await setUp(shown)
  await shown.user.type(english(), ' Thanks!')
  await shown.user.click(screen.getByRole('link', { name: 'Automations' }))
  await screen.findByText(/This automation is not saved yet/)
  await shown.user.click(screen.getByRole('button', { name: 'Stay here' }))
  await waitFor(() => expect(screen.queryByText(/This automation is not saved yet/)).toBeNull())
  expect(english().value).toMatch(/Thanks!$/)
  await shown.user.click(screen.getByRole('link', { name: 'Automations' }))
  await shown.user.click(await screen.findByRole('button', { name: 'Leave without saving' }))
  await screen.findByRole('button', { name: 'Set up A visit is done' })
  expect(shown.writes()).toEqual([])
  await setUp(shown)
  expect(english().value).toBe(usualOf('visit_done').textEn)
})

it('makes one with what was typed, however often it is pressed, and goes on with it', async () => {
  const shown = open()
  await setUp(shown)
  await shown.user.type(english(), ' Thanks!')
  await shown.user.dblClick(screen.getByRole('button', { name: 'Save automation' }))
  await screen.findByText(/Off. Once it is on/)
  expect(shown.made).toHaveLength(1)
  expect(shown.made[0]).toMatchObject({ kind: 'visit_done', textEn: `${usualOf('visit_done').textEn} Thanks!` })
  expect(shown.at()).toBe(`?tab=automations&automationId=${id}`)
})

it('is the list for who may not change settings, and for a kind that there is not', async () => {
  open('&kind=visit_done', ['customers'])
  await screen.findByRole('heading', { name: 'Automations', level: 1 })
  expect(screen.queryByRole('button', { name: 'Save automation' })).toBeNull()
})
