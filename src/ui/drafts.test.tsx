import { act, screen } from '@testing-library/react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { expect, it } from 'vitest'
import { ApiError } from '#src/shared/client.ts'
import { keepDraftsOf, typeInto, useDraft, useUnsaved } from './drafts.ts'
import { Form } from './Form.tsx'
import { FormField } from './FormField.tsx'
import { TextField } from './TextField.tsx'
import { show } from './testing/show.tsx'
import { useVersioned } from './useVersioned.tsx'

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

type Person = { version: number; name: string; city: string }
const read = ({ name, city }: Person) => ({ name, city })

/** Saves over `now`, and is refused when it began with an older one. */
const Record = ({ now, sent }: { now: Person; sent: object[] }) => {
  const form = useForm({ defaultValues: read(now) })
  const { isDirty } = form.formState
  const { save, dialog, opened, reopen } = useVersioned<Person, ReturnType<typeof read>>({
    record: now,
    read,
    load: async () => now,
    words: { name: 'Name', city: 'City' },
    live: { dirty: isDirty, fill: (record) => form.reset(read(record)) },
  })
  useDraft('record', {
    form,
    base: () => read(opened ?? now),
    record: opened ?? now,
    restore: ({ mine, record }) => {
      reopen(record)
      typeInto(form, mine)
    },
  })
  return (
    <Form
      form={form}
      label="Record"
      onSubmit={(values) =>
        save(values, async (changes, { version }) => {
          if (version !== now.version)
            throw new ApiError('version_conflict', 'x', 409, { details: { version: now.version } })
          sent.push(changes)
        })
      }
    >
      {(['name', 'city'] as const).map((field) => (
        <FormField key={field} control={form.control} name={field}>
          {(f) => <TextField label={field === 'name' ? 'Name' : 'City'} {...f} />}
        </FormField>
      ))}
      <button type="submit">Save</button>
      {dialog}
    </Form>
  )
}

it.each([
  ['keeps what others changed in other fields', { name: 'Bluer' }, [{ city: 'Tybee' }]],
  ['asks about the field that others changed too', { city: 'Pooler' }, []],
])('a draft that comes back over a newer record %s', async (_, theirs, saved) => {
  keepDraftsOf(`di ${_}`)
  const first = { version: 1, name: 'Green', city: 'Savannah' }
  const sent: object[] = []
  const { user, rerender } = show(<Record now={first} sent={sent} />)
  const city = () => screen.getByRole('textbox', { name: 'City' }) as HTMLInputElement
  await user.clear(city())
  await user.type(city(), 'Tybee')
  rerender(<p>Elsewhere</p>)
  rerender(<Record now={{ ...first, ...theirs, version: 2 }} sent={sent} />)
  expect(city().value).toBe('Tybee')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  if (saved.length === 0) await screen.findByRole('dialog')
  expect(sent).toEqual(saved)
})

it('leaving the page asks while something typed is not saved, and only then', async () => {
  keepDraftsOf('eve')
  const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const { user, rerender } = show(<Settings />)
  expect(asks()).toBe(false)
  await user.type(screen.getByRole('textbox', { name: 'Name' }), '!')
  expect(asks()).toBe(true)
  rerender(<p>Elsewhere</p>)
  expect(asks()).toBe(true)
  rerender(<Settings />)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(asks()).toBe(false)
  await user.type(screen.getByRole('textbox', { name: 'Name' }), '!')
  act(() => keepDraftsOf('fay'))
  expect(asks()).toBe(false)
})
