import { expect, test } from 'vitest'
import { show } from './testing/show.tsx'
import { toast } from './toast.tsx'

test('what is said before the host has come is shown when it comes, once, and taken back as ever', async () => {
  toast.success('Photo kept')
  toast.success('Photo kept')
  toast.undo('Visit moved', () => toast.message('Back where it was'))
  // Its file comes after the first picture, on a slow line long after.
  const { ToastHost } = await import('./ToastHost.tsx')
  const { user, findByText, findByRole, findAllByText } = show(<ToastHost />)
  expect(await findAllByText('Photo kept')).toHaveLength(1)
  await user.click(await findByRole('button', { name: 'Undo' }))
  await findByText('Back where it was')
})
