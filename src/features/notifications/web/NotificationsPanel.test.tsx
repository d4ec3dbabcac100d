import { screen } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router'
import { expect, it, vi } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { NotificationsPanel } from './NotificationsPanel.tsx'

const Where = () => {
  const { pathname, search, hash } = useLocation()
  return <output>{pathname + search + hash}</output>
}

it('leads to what one hears of, and closes', async () => {
  answerWith(() => ({ body: { notifications: [], unreadCount: 0 } }))
  const onLeave = vi.fn()
  const { user } = show(
    <MemoryRouter>
      <NotificationsPanel id="panel" onLeave={onLeave} />
      <Where />
    </MemoryRouter>,
  )
  await screen.findByText('No notifications yet')
  await user.click(screen.getByRole('button', { name: 'What you hear of' }))
  screen.getByText('/profile?section=you#news')
  expect(onLeave).toHaveBeenCalledOnce()
})
