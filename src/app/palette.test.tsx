import { screen } from '@testing-library/react'
import { useState } from 'react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { expect, it, vi } from 'vitest'
import { type Session, SessionContext } from '../features/accounts/web/session.ts'
import { type Hub, hubTabs } from '../shared/paths.ts'
import { permissionPresets, type Rights } from '../shared/roles.ts'
import { PaletteBody } from '../ui/PaletteBody.tsx'
import { show } from '../ui/testing/show.tsx'
import { FindAnything } from './FindAnything.tsx'
import { tabLabels, tabsOf, twinAt } from './hubs.ts'
import { paletteGroups } from './palette.tsx'

const owner = { role: 'Owner', permissions: [] } as unknown as Rights
const shown = (who: Rights = owner) => {
  const went = vi.fn()
  const groups = paletteGroups(went, {
    viewer: { isOwner: true, isSupport: false },
    who,
    showKeys: () => undefined,
    signOut: () => undefined,
  })
  const { user } = show(
    <MemoryRouter>
      <Routes>
        <Route path="*" element={<PaletteBody open onOpenChange={() => undefined} groups={groups} />} />
      </Routes>
    </MemoryRouter>,
  )
  return { user, went, labels: groups.flatMap(({ items }) => items.map(({ label }) => label)) }
}

it.each([
  ['campaign', 'Tools: Campaigns', '/tools?tab=campaigns'],
  ['newsletter', 'Tools: Campaigns', '/tools?tab=campaigns'],
  ['automat', 'Customers: Automations', '/customers?tab=automations'],
  ['workflow', 'Customers: Automations', '/customers?tab=automations'],
  ['dry run', 'Customers: Automations', '/customers?tab=automations'],
  ['new campaign', 'New campaign', '/tools?tab=campaigns&new=1'],
])('"%s" finds %s', async (typed, label, href) => {
  const { user, went } = shown()
  await user.type(screen.getByRole('combobox'), typed)
  await user.click(await screen.findByRole('option', { name: label }))
  expect(went).toHaveBeenCalledWith(href)
})

it('every tab of every hub has a way to it, also where the sidebar has none', () => {
  const { labels } = shown()
  for (const hub of Object.keys(hubTabs) as Hub[])
    for (const { value, isDefault } of tabsOf(hub))
      if (!isDefault)
        expect(
          labels.some((label) => label.endsWith(`: ${tabLabels[hub][value]}`)),
          `${hub} ${value}`,
        ).toBe(true)
})

it('nobody is led to what is not part of their role', () => {
  const { labels } = shown({ role: 'Admin', permissions: [...permissionPresets.dispatcher] } as unknown as Rights)
  expect(labels).toContain('Tools: Campaigns')
  expect(labels).not.toContain('Tools: Statistics')
  expect(labels).not.toContain('Quotes: Renewals')
})

it('the screen of a message to several has the tabs of the tools, and so Campaigns, over it', () => {
  expect(twinAt('/send-notifications')).toEqual({ hub: 'tools', tab: 'notifications' })
})

const Office = () => {
  const [open, setOpen] = useState(false)
  return <FindAnything open={open} onOpen={setOpen} />
}

it('comes with Ctrl K, knows who asks, and goes again', async () => {
  const state = { phase: 'signedIn', user: { role: 'Admin', permissions: [...permissionPresets.dispatcher] } }
  const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
  const { user } = show(
    <SessionContext value={session}>
      <MemoryRouter>
        <Office />
      </MemoryRouter>
    </SessionContext>,
  )
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox'), 'campaigns')
  await screen.findByRole('option', { name: 'Tools: Campaigns' })
  await user.clear(screen.getByRole('combobox'))
  await user.type(screen.getByRole('combobox'), 'statistics')
  expect(screen.queryByRole('option', { name: 'Tools: Statistics' })).toBeNull()
  await user.keyboard('{Control>}k{/Control}')
  await vi.waitFor(() => expect(screen.queryByRole('combobox')).toBeNull())
})
