import { screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, it, vi } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import { ageNames } from '../rules.ts'
import { InvoicesTab } from './InvoicesTab.tsx'

afterEach(() => vi.restoreAllMocks())

const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: ['money'], business: { timeZone: 'America/New_York' } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const of = (names: readonly string[], value: number) => Object.fromEntries(names.map((name) => [name, value]))
const list = {
  ...{ items: [], nextCursor: null, total: 0, owedCents: 12_300, overdueCents: 0, over30Cents: 0, daysToPay: 4 },
  ...{ counts: { ...of(ageNames, 0), all: 3, autopay: 1 }, aging: of(ageNames, 0) },
}

const shown = async (address: string, isNarrow: boolean) => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({
        matches: isNarrow && query.includes('max-width'),
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
      }) as unknown as MediaQueryList,
  )
  answerWith(({ url }) => (new URL(url).pathname === '/api/invoices' ? { body: list } : { status: 404, body: {} }))
  show(
    <MemoryRouter initialEntries={[address]}>
      <SessionContext value={session}>
        <InvoicesTab />
      </SessionContext>
    </MemoryRouter>,
  )
  await screen.findByRole('link', { name: /^All\D*3$/ })
  return screen.queryByRole('navigation', { name: 'What is owed, by age' }) !== null
}

it.each([
  ['a phone opens a view on its list', '/jobs?view=autopay', true, false],
  ['a phone opens all invoices on their sums', '/jobs', true, true],
  ['a wide screen has room for both', '/jobs?view=autopay', false, true],
])('%s', async (_what, address, isNarrow, hasSums) => {
  expect(await shown(address, isNarrow)).toBe(hasSums)
})
