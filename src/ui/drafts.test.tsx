import { act, screen } from '@testing-library/react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { expect, it } from 'vitest'
import { keepDraftsOf, useDraft, useUnsaved } from './drafts.ts'
import { Form } from './Form.tsx'
import { FormField } from './FormField.tsx'
import { TextField } from './TextField.tsx'
import { show } from './testing/show.tsx'

const opened = { name: 'Green', city: 'Savannah' }

const Names = () => {
  const form = useForm({ defaultValues: opened })
  useDraft('names', { form, base: () => opened })
  return (
    <Form form={form} label="Names" onSubmit={() => form.reset(form.getValues())}>
      <FormField control={form.control} name="name">
        {(f) => <TextField label="Name" {...f} />}
      </FormField>
      <button type="submit">Save</button>
    </Form>
  )
}

const Settings = () => {
  const [shown, setShown] = useState(true)
  const unsaved = useUnsaved()
  return (
    <>
      {shown ? <Names /> : <p>Something else</p>}
      <button type="button" onClick={() => setShown(!shown)}>
        Other screen
      </button>
      <output>{[...unsaved].join()}</output>
    </>
  )
}

const name = () => (screen.getByRole('textbox', { name: 'Name' }) as HTMLInputElement).value
const marked = () => screen.getByRole('status').textContent

it('keeps what was typed while the person is elsewhere, and says that it is not saved', async () => {
  keepDraftsOf('ana')
  const { user } = show(<Settings />)
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'er')
  expect(marked()).toBe('names')
  await user.click(screen.getByRole('button', { name: 'Other screen' }))
  screen.getByText('Something else')
  expect(marked()).toBe('names')
  await user.click(screen.getByRole('button', { name: 'Other screen' }))
  expect([name(), marked()]).toEqual(['Greener', 'names'])
})

it('forgets what was saved or typed back, and everything of another person', async () => {
  keepDraftsOf('bo')
  const { user, unmount } = show(<Settings />)
  expect([name(), marked()]).toEqual(['Green', ''])
  await user.type(screen.getByRole('textbox', { name: 'Name' }), '!')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(marked()).toBe('')
  await user.type(screen.getByRole('textbox', { name: 'Name' }), '!')
  expect(marked()).toBe('names')
  unmount()
  act(() => keepDraftsOf('cy'))
  show(<Settings />)
  expect([name(), marked()]).toEqual(['Green', ''])
})
