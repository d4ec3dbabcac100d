import { screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { keepDraftsOf } from '../../../../ui/drafts.ts'
import { answerWith, show } from '../../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../../accounts/web/session.ts'
import type { SenderRegistration } from '../contract.ts'
import { DetailsForm } from './DetailsForm.tsx'

const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: [], business: { subscription: { active: true } } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const details = { legalName: 'Marsh Side LLC', entity: null, ein: '123456789', street: '', city: '', state: null }
const saved = {
  kind: 'local',
  details: { ...details, zip: '', website: '', email: '', phone: '' },
  brand: { state: 'open' },
  campaign: { state: 'open' },
  version: 1,
} as unknown as SenderRegistration

beforeEach(() => keepDraftsOf(crypto.randomUUID()))

const opened = () => {
  answerWith(() => ({ body: {} }))
  const onClose = vi.fn()
  const { user, unmount } = show(
    <SessionContext value={session}>
      <DetailsForm saved={saved} onClose={onClose} />
    </SessionContext>,
  )
  return { user, close: unmount, name: () => screen.getByRole<HTMLInputElement>('textbox', { name: /Legal name/ }) }
}

it('what was typed is there again for who closed it; Cancel drops it', async () => {
  const first = opened()
  await first.user.type(first.name(), ' of Savannah')
  first.close()
  const second = opened()
  expect(second.name().value).toBe('Marsh Side LLC of Savannah')
  await second.user.click(screen.getByRole('button', { name: 'Cancel' }))
  second.close()
  expect(opened().name().value).toBe('Marsh Side LLC')
})
