import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { Button } from './Button.tsx'
import { PlanGate } from './planGate.ts'

const gatedCall = { path: '/api/customers', needsSubscription: true }
const tell = vi.fn()
const gated = (words: string | null, onClick: () => void) =>
  render(
    <PlanGate value={words === null ? null : { words, tell }}>
      <Button calls={gatedCall} onClick={onClick}>
        Add customer
      </Button>
    </PlanGate>,
  )

it('what waits for a plan cannot be pressed and says why, to the keyboard too', async () => {
  const press = vi.fn()
  gated('This waits for a plan.', press)
  const button = screen.getByRole('button', { name: 'Add customer', description: 'This waits for a plan.' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(button)
  button.focus()
  await userEvent.keyboard('{Enter}')
  expect(press).not.toHaveBeenCalled()
  expect(tell.mock.calls).toEqual([['This waits for a plan.'], ['This waits for a plan.']])
})

it('with a plan it works', async () => {
  const press = vi.fn()
  gated(null, press)
  await userEvent.click(screen.getByRole('button', { name: 'Add customer' }))
  expect(press).toHaveBeenCalledOnce()
})

it('a link that waits leads nowhere', () => {
  render(
    <PlanGate value={{ words: 'This waits for a plan.', tell }}>
      <Button calls={gatedCall} href="/customers?tab=create">
        Add customer
      </Button>
    </PlanGate>,
  )
  expect(screen.queryByRole('link')).toBeNull()
})

it('what asks for no plan goes on without one', async () => {
  const press = vi.fn()
  render(
    <PlanGate value={{ words: 'This waits for a plan.', tell }}>
      <Button calls={{ path: '/api/invoices/export' }} onClick={press}>
        Export
      </Button>
    </PlanGate>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Export' }))
  expect(press).toHaveBeenCalledOnce()
})
