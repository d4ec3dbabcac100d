import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { call } from '#src/shared/client.ts'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type OwnerSession, OwnerSessionContext } from '../../owner/web/session.ts'
import type { Lead } from '../contract.ts'
import { NotifyContext } from './notice.ts'
import { WriteText } from './WriteText.tsx'

const lead = { _id: '1', name: 'Ann Lee', phone: '(912) 555-0142', timeZone: 'America/New_York' } as Lead
const templates = [{ channel: 'sms', key: 'initial_contact', subject: '', message: 'Hi {name}' }]

const opened = async () => {
  answerWith(() => ({ body: { items: templates, schedulingLink: '', coupons: [] } }))
  const { user } = show(
    <OwnerSessionContext value={{ ask: call } as unknown as OwnerSession}>
      <NotifyContext value={() => undefined}>
        <WriteText lead={lead} onClose={() => undefined} />
      </NotifyContext>
    </OwnerSessionContext>,
  )
  return { user, field: await screen.findByRole('textbox', { name: 'Message' }) }
}

it('names the emoji that doubles the price and offers the text without it', async () => {
  const { user, field } = await opened()
  await user.click(field)
  await user.paste(`${'We mow on Friday. '.repeat(5)}🙂`)
  expect(screen.getByText(/Costs 2 segments: 🙂 is not a plain character/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Use plain characters' }))
  expect(field).toHaveProperty('value', 'We mow on Friday. '.repeat(5).trim())
  expect(screen.queryByText(/Costs/)).toBeNull()
})

it('is red no more once a template stands in the field', async () => {
  const { user, field } = await opened()
  await user.click(screen.getByRole('button', { name: 'Send SMS' }))
  expect(field.getAttribute('aria-invalid')).toBe('true')
  await user.click(await screen.findByRole('button', { name: 'Initial contact' }))
  expect(field.getAttribute('aria-invalid')).not.toBe('true')
})
