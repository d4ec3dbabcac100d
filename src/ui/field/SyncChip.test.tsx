import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { SyncChip } from './SyncChip.tsx'

const state = { unsent: 0, waiting: 0, attention: 0, online: true, sending: false }

it('is a button with a name, and what is told of it stands around the button', () => {
  render(<SyncChip state={state} onClick={() => undefined} />)
  const button = screen.getByRole('button', { name: 'All sent' })
  // a status inside of a button takes its name from it
  expect(button.querySelector('[role]')).toBeNull()
  const told = screen.getAllByRole('status')
  expect(told.map((one) => [one.textContent, one.contains(button)])).toEqual([['All sent', true]])
})
