import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { timeZoneLabel } from '../../../shared/timeZone.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useOwner } from '../../owner/web/session.ts'
import type { Lead } from '../contract.ts'
import { slotsQuery, useBookCall } from './data.ts'
import { clockLabel, dayOfInstant, instantLabel, messageOf, weekdayLabel } from './labels.ts'
import { useNotify } from './notice.ts'

const lengths = [30, 20] as const

/** Books a demo at a free time; the lead gets the invitation by mail. */
export const BookDemo = ({ lead, onClose }: { lead: Lead; onClose: () => void }) => {
  const { ask } = useOwner()
  const notify = useNotify()
  const [minutes, setMinutes] = useState<20 | 30>(30)
  const [day, setDay] = useState<string | null>(null)
  const [at, setAt] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const found = useQuery(slotsQuery(ask, minutes))
  const book = useBookCall()
  const days = Map.groupBy(found.data?.slots ?? [], dayOfInstant)
  const shown = day && days.has(day) ? day : ([...days.keys()][0] ?? null)
  const confirm = () => {
    if (!at || book.isPending) return
    book.mutate(
      { leadId: lead._id, startsAt: at, minutes, note },
      {
        onSuccess: (call) => {
          notify('done', `Demo booked for ${instantLabel(call.startsAt)}. ${lead.name} gets the invitation by mail.`)
          onClose()
        },
        onError: (error) => {
          notify('error', `Failed to book the demo: ${messageOf(error)}`)
          setAt(null)
          void found.refetch()
        },
      },
    )
  }
  return (
    <Dialog open onClose={onClose} title="Book Demo" size="m">
      <div className="desk-write">
        <p className="muted">
          With {lead.name}, {lead.email}
        </p>
        {lead.nextCallAt ? (
          <Banner tone="info">A call is booked already: {instantLabel(lead.nextCallAt)}.</Banner>
        ) : null}
        <fieldset className="desk-period">
          <legend className="ui-hidden">Length</legend>
          {lengths.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={minutes === one}
              onClick={() => {
                setMinutes(one)
                setAt(null)
              }}
            >
              {one} minutes
            </button>
          ))}
        </fieldset>
        {found.isError ? (
          <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
        ) : !found.data ? (
          <PanelSkeleton />
        ) : days.size === 0 ? (
          <Banner tone="warn">No time is free. Add call hours in the settings.</Banner>
        ) : (
          <>
            <fieldset className="desk-slots" aria-label="Day">
              {[...days.keys()].map((one) => (
                <button
                  key={one}
                  type="button"
                  aria-pressed={one === shown}
                  onClick={() => {
                    setDay(one)
                    setAt(null)
                  }}
                >
                  {weekdayLabel(one)}
                </button>
              ))}
            </fieldset>
            <fieldset className="desk-slots desk-slots--times" aria-label="Time">
              {(days.get(shown ?? '') ?? []).map((slot) => (
                <button key={slot} type="button" aria-pressed={slot === at} onClick={() => setAt(slot)}>
                  {clockLabel(slot)}
                </button>
              ))}
            </fieldset>
            <p className="hint">
              Times in your zone.
              {at && lead.timeZone
                ? ` For ${lead.name} it is ${clockLabel(at, lead.timeZone)} (${timeZoneLabel(lead.timeZone)}).`
                : ''}
            </p>
          </>
        )}
        <TextField
          label="Note for the invitation"
          optional
          value={note}
          onChange={setNote}
          maxLength={1000}
          autoComplete="off"
        />
        <FormActions>
          <Button kind="primary" disabled={at === null} loading={book.isPending} onClick={confirm}>
            {at ? `Book ${instantLabel(at)}` : 'Choose a time'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </div>
    </Dialog>
  )
}
