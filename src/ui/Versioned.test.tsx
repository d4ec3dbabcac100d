import { useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { ApiError } from '#src/shared/client.ts'
import { Button } from './Button.tsx'
import { TextField } from './TextField.tsx'
import { show } from './testing/show.tsx'
import { Versioned } from './Versioned.tsx'

const question = 'Changed by someone else meanwhile'
type Note = { version: number; text: string }

const Form = ({ opened, save }: { opened: Note; save: (text: string) => unknown }) => {
  const [text, setText] = useState(opened.text)
  return (
    <>
      <TextField label="Note" value={text} onChange={setText} />
      <Button onClick={() => save(text)}>Save</Button>
    </>
  )
}

type Server = { note: Note; sent: string[]; failure: ApiError | null }

const saveNote = async (server: Server, version: number, text: string) => {
  server.sent.push(`${version}: ${text}`)
  if (server.failure) throw server.failure
  if (version !== server.note.version)
    throw new ApiError('version_conflict', 'Changed.', 409, { details: { version: server.note.version } })
  server.note = { version: version + 1, text }
}

const Screen = ({ server }: { server: Server }) => {
  const { data } = useQuery({ queryKey: ['note'], queryFn: async () => server.note })
  if (!data) return null
  return (
    <Versioned record={data}>
      {(record, save) => <Form opened={record} save={(text) => save((version) => saveNote(server, version, text))} />}
    </Versioned>
  )
}

/** A form in which something was typed, saved after somebody else left `theirs` on the server. */
const opened = async (theirs: Note) => {
  const server: Server = { note: { version: 1, text: 'as opened' }, sent: [], failure: null }
  const { user } = show(<Screen server={server} />)
  const field = async () => (await screen.findByRole('textbox', { name: 'Note', hidden: true })) as HTMLInputElement
  await user.clear(await field())
  await user.type(await field(), 'mine')
  server.note = theirs
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByRole('dialog', { name: question })
  const gone = () => waitFor(() => expect(screen.queryByRole('dialog', { name: question })).toBeNull())
  return { user, server, field, gone }
}

const press = (name: string) => screen.getByRole('button', { name })

it('what was typed stays in the form while the question is asked, and nothing was saved', async () => {
  const { server, field } = await opened({ version: 4, text: 'theirs' })
  expect((await field()).value).toBe('mine')
  expect([server.note.text, server.sent]).toEqual(['theirs', ['1: mine']])
})

it('saves mine over it with the version that stands there', async () => {
  const { user, server, gone } = await opened({ version: 4, text: 'theirs' })
  await user.click(press('Save mine over it'))
  await gone()
  expect([server.note.text, server.sent]).toEqual(['mine', ['1: mine', '4: mine']])
})

it('asks again when somebody was quicker once more', async () => {
  const { user, server } = await opened({ version: 4, text: 'theirs' })
  server.note = { version: 5, text: 'theirs again' }
  await user.click(press('Save mine over it'))
  await waitFor(() => expect(server.sent).toEqual(['1: mine', '4: mine']))
  await waitFor(() => expect(press('Save mine over it')).toHaveProperty('disabled', false))
  await user.click(press('Save mine over it'))
  await waitFor(() => expect(server.note.text).toBe('mine'))
  expect(server.sent).toEqual(['1: mine', '4: mine', '5: mine'])
})

it('loads the new state into the form', async () => {
  const { user, server, field, gone } = await opened({ version: 4, text: 'theirs' })
  await user.click(press('Load the new state'))
  await gone()
  await waitFor(async () => expect((await field()).value).toBe('theirs'))
  await user.type(await field(), ' and mine')
  await user.click(press('Save'))
  await waitFor(() => expect(server.note).toEqual({ version: 5, text: 'theirs and mine' }))
})

it('keeps the question and what was typed when saving over it fails', async () => {
  const { user, server, field } = await opened({ version: 4, text: 'theirs' })
  server.failure = new ApiError('network', 'We could not reach Swath.', 0)
  await user.click(press('Save mine over it'))
  await screen.findByText('This did not work. What you typed is still here; please try again.')
  expect((await field()).value).toBe('mine')
})

it('goes back to the form without a choice by Esc', async () => {
  const { user, server, field, gone } = await opened({ version: 4, text: 'theirs' })
  await user.keyboard('{Escape}')
  await gone()
  expect([(await field()).value, server.note.text]).toEqual(['mine', 'theirs'])
  await user.click(press('Save'))
  await screen.findByRole('dialog', { name: question })
})
