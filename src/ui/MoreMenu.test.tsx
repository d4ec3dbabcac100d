import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { MoreMenu } from './MoreMenu.tsx'
import { show } from './testing/show.tsx'

it('is a menu for several items, a button for one, and nothing for none', async () => {
  const pressed: string[] = []
  const one = { label: 'Compare plans', onClick: () => pressed.push('compare') }
  const { user, rerender } = show(<MoreMenu label="More" items={[false, 'line', one, null]} />)
  await user.click(screen.getByRole('button', { name: 'Compare plans' }))
  expect(pressed).toEqual(['compare'])
  rerender(<MoreMenu label="More" items={[one, { label: 'Search longer' }]} />)
  expect(screen.getByRole('button', { name: 'More' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Compare plans' })).toBeNull()
  rerender(<MoreMenu label="More" items={[{ heading: 'Views' }, 'line', false]} />)
  expect(screen.queryByRole('button')).toBeNull()
})

it('a menu that opens puts the cursor on its first item, without a complaint', async () => {
  const complained = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const { user } = show(<MoreMenu label="More" items={[{ label: 'Compare plans' }, { label: 'Search longer' }]} />)
  await user.click(screen.getByRole('button', { name: 'More' }))
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Compare plans'))
  expect(complained).not.toHaveBeenCalled()
  complained.mockRestore()
})
