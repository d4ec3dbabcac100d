import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayOf, formatDay, formatTime } from '../../../../shared/dates.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { IconCircleCheck, IconClock, IconUser } from '../../../../ui/icons.ts'
import { Menu } from '../../../../ui/Menu.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMay, useUser } from '../../../accounts/web/session.ts'
import { type ConversationRecord, conversationsApi } from '../contract.ts'
import { type SnoozeChoice, snoozeUntil } from '../rules.ts'
import { type ConversationDeed, conversationQuery, peopleQuery, useConversation } from './data.ts'
import { SnoozeDialog } from './SnoozeDialog.tsx'
import './conversations.css'

const snoozeLabels: Record<SnoozeChoice, string> = {
  later: 'Later today',
  tomorrow: 'Tomorrow morning',
  monday: 'Next Monday',
}

/** "Mon, Jun 15, 8:00 AM", with the year where it is another one; today only the time. */
export const untilLabel = (at: string, timeZone: string): string => {
  const day = dayOf(at, timeZone)
  const time = formatTime(at, timeZone)
  const today = dayOf(new Date(), timeZone)
  return day === today ? time : `${formatDay(day, { year: day.slice(0, 4) !== today.slice(0, 4) })}, ${time}`
}

const said = (deed: ConversationDeed, record: ConversationRecord, timeZone: string): string => {
  if (deed.kind === 'assign') return record.assignee ? `${record.assignee.name} has it now` : 'Nobody has it now'
  if (deed.kind === 'snooze') return `Snoozed until ${untilLabel(record.snoozedUntil ?? '', timeZone)}`
  return deed.kind === 'close' ? 'Done: it opens again when they write' : 'Open again'
}

/** Whose a conversation is, and what is done with it. */
export const ConversationBar = ({ customerId, name }: { customerId: string; name: string }) => {
  const user = useUser()
  const { timeZone } = user.business
  const may = useMay()
  const [choosing, setChoosing] = useState(false)
  const found = useQuery(conversationQuery(customerId))
  const record = found.data
  const office = useQuery(peopleQuery)
  const people = office.data?.items
  const change = useConversation(customerId)
  if (!record)
    return (
      <div className="talk-bar">
        {found.isError ? (
          <>
            <span className="hint" role="alert">
              Who has this conversation, and whether it is open, did not load.
            </span>
            <Button size="s" loading={found.isFetching} onClick={() => void found.refetch()}>
              Try again
            </Button>
          </>
        ) : null}
      </div>
    )
  const act = (deed: ConversationDeed) =>
    change.mutateAsync({ ...deed, version: record.version }).then((now) => toast.success(said(deed, now, timeZone)))
  const press = (deed: ConversationDeed) => void act(deed).catch(toast.error)
  const { assignee, leftName, state, can } = record
  const shown = assignee ? (assignee.id === user._id ? 'You' : assignee.name) : 'Assign'
  const busy = (kind: ConversationDeed['kind']) => change.isPending && change.variables.kind === kind
  const others = (people ?? []).filter(({ id }) => id !== user._id)
  return (
    <div className="talk-bar">
      {can.assign ? (
        <Menu
          align="start"
          width={240}
          items={[
            { heading: 'Who answers' },
            people?.some(({ id }) => id === user._id) && {
              label: 'Me',
              key: 'me',
              disabled: assignee?.id === user._id,
              onClick: () => press({ kind: 'assign', userId: user._id }),
            },
            ...others.map(({ id, name: label }) => ({
              label,
              key: id,
              disabled: assignee?.id === id,
              onClick: () => press({ kind: 'assign', userId: id }),
            })),
            office.isError &&
              !people && {
                label: 'The office did not load. Try again',
                key: 'again',
                onClick: () => void office.refetch(),
              },
            (assignee || leftName !== null) && 'line',
            (assignee || leftName !== null) && {
              label: 'Nobody',
              key: 'nobody',
              onClick: () => press({ kind: 'assign', userId: null }),
            },
          ]}
        >
          <Button
            size="s"
            calls={conversationsApi.assign}
            icon={<IconUser />}
            loading={busy('assign')}
            aria-label={assignee ? `${shown}: change who answers` : shown}
          >
            {shown}
          </Button>
        </Menu>
      ) : assignee ? (
        <span className="hint">{assignee.name} answers</span>
      ) : null}
      {leftName === null ? null : <span className="hint">{leftName} had it and left</span>}
      {state === 'snoozed' ? (
        <Badge tone="wait">Snoozed until {untilLabel(record.snoozedUntil ?? '', timeZone)}</Badge>
      ) : state === 'done' ? (
        <Badge tone="done">Done{record.closedByName ? ` by ${record.closedByName}` : ''}</Badge>
      ) : null}
      <span className="talk-bar__acts">
        {can.snooze ? (
          <Menu
            width={310}
            items={[
              { heading: state === 'snoozed' ? 'Snooze until another time' : 'Snooze until' },
              ...(Object.keys(snoozeLabels) as SnoozeChoice[]).map((choice) => {
                const at = snoozeUntil(choice, new Date(), timeZone)
                return (
                  at !== null &&
                  // on a Sunday both are one
                  (choice !== 'monday' || at !== snoozeUntil('tomorrow', new Date(), timeZone)) && {
                    label: snoozeLabels[choice],
                    hint: untilLabel(at, timeZone),
                    onClick: () => press({ kind: 'snooze', until: choice }),
                  }
                )
              }),
              { label: 'Choose day and time…', onClick: () => setChoosing(true) },
            ]}
          >
            <Button size="s" calls={conversationsApi.snooze} icon={<IconClock />} loading={busy('snooze')}>
              Snooze
            </Button>
          </Menu>
        ) : null}
        {can.reopen ? (
          <Button
            size="s"
            calls={conversationsApi.reopen}
            loading={busy('reopen')}
            onClick={() => press({ kind: 'reopen' })}
          >
            {state === 'snoozed' ? 'End snooze' : 'Reopen'}
          </Button>
        ) : null}
        {can.close ? (
          <Button
            size="s"
            calls={conversationsApi.close}
            icon={<IconCircleCheck />}
            loading={busy('close')}
            onClick={() => press({ kind: 'close' })}
          >
            Done
          </Button>
        ) : null}
      </span>
      {choosing && may(conversationsApi.snooze) ? (
        <SnoozeDialog
          name={name}
          onClose={() => setChoosing(false)}
          onSnooze={(until) => act({ kind: 'snooze', until })}
        />
      ) : null}
    </div>
  )
}
