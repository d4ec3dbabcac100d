import { useQueryClient } from '@tanstack/react-query'
import { Fragment, type ReactNode, useEffect, useReducer, useRef, useState } from 'react'
import { serverMessage } from '#src/shared/client.ts'
import { Banner } from './Banner.tsx'
import { Button } from './Button.tsx'
import './ConfirmDialog.css'
import { Dialog } from './Dialog.tsx'
import { latestVersion, openedAt, stepEdit } from './versionedEdit.ts'

/** Sends with the version it is given. What it does after the answer (a word of success, closing) belongs in it too. */
type Send = (version: number) => Promise<unknown>
export type SaveVersioned = (send: Send) => Promise<unknown>

type Props<T> = {
  /** As it stands now; it may change under an open form. */
  record: T
  /** For a form that stays open and takes over by itself what others change in fields that nobody touched. */
  live?: boolean
  /** The form, with the record as it was when the form was filled, and the way to save it. */
  children: (opened: T, save: SaveVersioned) => ReactNode
}

/**
 * A form of a record that others change too. A save over a change that the person has not seen asks first: nothing typed is lost, and either
 * the new state comes into the form or what was typed goes over it.
 */
export const Versioned = <T extends { version: number }>({ record, live = false, children }: Props<T>) => {
  const client = useQueryClient()
  const [edit, dispatch] = useReducer(stepEdit, record.version, openedAt)
  const [opened, setOpened] = useState(record)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const refused = useRef<Send | null>(null)

  useEffect(() => {
    if (edit.awaited === null || record.version < edit.awaited) return
    setOpened(record)
    setBusy(false)
    dispatch({ kind: 'arrived', version: record.version })
  }, [record, edit.awaited])

  const attempt = async (send: Send, version: number): Promise<boolean> => {
    try {
      await send(version)
      return true
    } catch (error) {
      const latest = latestVersion(error)
      if (latest === null) throw error
      refused.current = send
      setProblem(null)
      dispatch({ kind: 'refused', latest })
      return false
    }
  }
  const saveMine = async () => {
    const { current } = refused
    if (!current || edit.latest === null) return
    setBusy(true)
    setProblem(null)
    try {
      if (await attempt(current, edit.latest)) dispatch({ kind: 'mine' })
    } catch (error) {
      setProblem(serverMessage(error, 'This did not work. What you typed is still here; please try again.'))
    } finally {
      setBusy(false)
    }
  }
  const takeTheirs = async () => {
    setBusy(true)
    setProblem(null)
    dispatch({ kind: 'theirs' })
    await client.invalidateQueries()
  }
  const stay = () => {
    setBusy(false)
    setProblem(null)
    dispatch({ kind: 'stay' })
  }
  return (
    <>
      <Fragment key={edit.filled}>
        {children(live ? record : opened, (send) => attempt(send, live ? record.version : edit.base))}
      </Fragment>
      <Dialog open={edit.latest !== null} onClose={stay} title="Changed by someone else meanwhile" size="s">
        <div className="ui-confirm">
          <p className="muted">
            Somebody saved a change while this was open. Nothing was lost: what you typed is still here and was not
            saved yet.
          </p>
          {problem ? <Banner tone="error">{problem}</Banner> : null}
          <div className="ui-confirm__actions">
            <Button onClick={takeTheirs} loading={edit.awaited !== null} disabled={busy}>
              Load the new state
            </Button>
            <Button kind="primary" onClick={saveMine} loading={busy && edit.awaited === null} disabled={busy}>
              Save mine over it
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  )
}
