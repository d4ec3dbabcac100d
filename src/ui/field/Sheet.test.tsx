import { fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { show } from '../testing/show.tsx'
import { Sheet } from './Sheet.tsx'

const Opener = () => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Skip
      </button>
      <Sheet open={open} onClose={() => setOpen(false)} title="Why?">
        <button type="button" onClick={() => setOpen(false)}>
          Skip this stop
        </button>
      </Sheet>
    </>
  )
}
const shield = () => document.querySelector('.f-shield')

it('the second of two fast taps neither closes what has just opened nor hits what lay under what has just closed', async () => {
  const { user } = show(<Opener />)
  expect(shield()).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Skip' }))
  await user.click(await screen.findByRole('dialog', { name: 'Why?' }))
  expect(screen.getByRole('button', { name: 'Skip this stop' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Skip this stop' }))
  expect(shield()).not.toBeNull()
  await waitFor(() => expect(shield()).toBeNull())
})

it('the second of two fast taps presses nothing of what came up under the finger', async () => {
  const { user } = show(<Opener />)
  await user.click(screen.getByRole('button', { name: 'Skip' }))
  const inside = await screen.findByRole('button', { name: 'Skip this stop' })
  fireEvent.click(inside, { detail: 2 })
  expect(screen.getByRole('dialog', { name: 'Why?' })).toBeTruthy()
  fireEvent.click(inside, { detail: 1 })
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Why?' })).toBeNull())
})

const Notes = () => {
  const [open, setOpen] = useState('')
  const [text, setText] = useState<string[]>([])
  return (
    <>
      <button type="button" onClick={() => setOpen('Oak St')}>
        Oak
      </button>
      <button type="button" onClick={() => setOpen('Bay St')}>
        Bay
      </button>
      <Sheet open={open !== ''} onClose={() => setOpen('')} title={open}>
        {open ? <input aria-label="Note" onInput={() => setText([...text, open])} /> : null}
      </Sheet>
    </>
  )
}

it('what was typed stays where Back or Esc closed the sheet, and only there and in the same one', async () => {
  const { user } = show(<Notes />)
  const note = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Note' })
  const leave = () => fireEvent(screen.getByRole('dialog'), new Event('close'))
  await user.click(screen.getByRole('button', { name: 'Oak' }))
  await user.type(await note(), 'Gate stuck')
  leave()
  await user.click(screen.getByRole('button', { name: 'Oak' }))
  expect((await note()).value).toBe('Gate stuck')
  leave()
  await user.click(screen.getByRole('button', { name: 'Bay' }))
  expect((await note()).value).toBe('')
  await user.type(await note(), 'Dog')
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  await user.click(screen.getByRole('button', { name: 'Bay' }))
  expect((await note()).value).toBe('')
})
