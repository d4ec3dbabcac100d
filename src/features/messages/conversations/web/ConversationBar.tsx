import { useQuery } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { dayOf, formatDay, formatTime } from '../../../../shared/dates.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button, type ButtonProps } from '../../../../ui/Button.tsx'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { IconArrowBackUp, IconCircleCheck, IconClock, IconUser, IconUserCheck } from '../../../../ui/icons.ts'
import { Menu } from '../../../../ui/Menu.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMay, useUser } from '../../../accounts/web/session.ts'
import { numberConversationsApi } from '../../numbers/contract.ts'
import { withOf } from '../../web/data.ts'
import { type ConversationRecord, conversationsApi } from '../contract.ts'
import { type SnoozeChoice, snoozeUntil } from '../rules.ts'
import { peopleQuery } from './data.ts'
import { type ConversationDeed, talkQuery, useConversation } from './deeds.ts'
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

/** "Snoozed until Mon, Jun 15, 8:00 AM", "Done by Ana"; null where it is open. */
const stateWords = (record: ConversationRecord, timeZone: string): string | null =>
  record.state === 'snoozed'
    ? `Snoozed until ${untilLabel(record.snoozedUntil ?? '', timeZone)}`
    : record.state === 'done'
      ? `Done${record.closedByName ? ` by ${record.closedByName}` : ''}`
      : null

const said = (deed: ConversationDeed, record: ConversationRecord, timeZone: string): string => {
  if (deed.kind === 'assign') return record.assignee ? `${record.assignee.name} has it now` : 'Nobody has it now'
  if (deed.kind === 'snooze') return `Snoozed until ${untilLabel(record.snoozedUntil ?? '', timeZone)}`
  return deed.kind === 'close' ? 'Done: it opens again when they write' : 'Open again'
}

/** Whether a conversation rests or is done, in a line; what else is to be said of it where it is open. */
export const ConversationState = ({ who, otherwise }: { who: string; otherwise: string }) => {
  const { timeZone } = useUser().business
  const record = useQuery(talkQuery(who)).data
  return <span className="hint">{(record && stateWords(record, timeZone)) ?? otherwise}</span>
}

/** A button with words, or slim with a picture alone. */
const Act = ({
  slim,
  icon,
  label,
  ...rest
}: Omit<ButtonProps, 'children' | 'icon'> & { slim: boolean; icon: ReactElement; label: string }) =>
  slim ? (
    <IconButton {...rest} label={rest['aria-label'] ?? label} icon={icon} tooltip={false} />
  ) : (
    <Button {...rest} size="s" icon={icon}>
      {label}
    </Button>
  )

/** Whose a conversation is, and what is done with it; slim: as pictures in the one row of a phone's header. */
export const ConversationBar = ({ who, name, slim = false }: { who: string; name: string; slim?: boolean }) => {
  const user = useUser()
  const { timeZone } = user.business
  const may = useMay()
  const [choosing, setChoosing] = useState(false)
  const found = useQuery(talkQuery(who))
  const record = found.data
  const office = useQuery(peopleQuery)
  const people = office.data?.items
  const change = useConversation(who)
  const isNumber = 'address' in withOf(who)
  const bar = `talk-bar${slim ? ' is-slim' : ''}`
  if (!record)
    return (
      <div className={bar}>
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
    <div className={bar}>
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
          <Act
            slim={slim}
            calls={isNumber ? numberConversationsApi.assign : conversationsApi.assign}
            icon={assignee ? <IconUserCheck /> : <IconUser />}
            loading={busy('assign')}
            aria-label={assignee ? `${shown}: change who answers` : shown}
            label={shown}
          />
        </Menu>
      ) : assignee && !slim ? (
        <span className="hint">{assignee.name} answers</span>
      ) : null}
      {leftName === null || slim ? null : <span className="hint">{leftName} had it and left</span>}
      {state === 'open' || slim ? null : (
        <Badge tone={state === 'done' ? 'done' : 'wait'}>{stateWords(record, timeZone)}</Badge>
      )}
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
            <Act
              slim={slim}
              calls={isNumber ? numberConversationsApi.snooze : conversationsApi.snooze}
              icon={<IconClock />}
              loading={busy('snooze')}
              label="Snooze"
            />
          </Menu>
        ) : null}
        {can.reopen ? (
          <Act
            slim={slim}
            calls={isNumber ? numberConversationsApi.reopen : conversationsApi.reopen}
            icon={<IconArrowBackUp />}
            loading={busy('reopen')}
            onClick={() => press({ kind: 'reopen' })}
            label={state === 'snoozed' ? 'End snooze' : 'Reopen'}
          />
        ) : null}
        {can.close ? (
          <Act
            slim={slim}
            calls={isNumber ? numberConversationsApi.close : conversationsApi.close}
            icon={<IconCircleCheck />}
            loading={busy('close')}
            onClick={() => press({ kind: 'close' })}
            label="Done"
          />
        ) : null}
      </span>
      {choosing && may(isNumber ? numberConversationsApi.snooze : conversationsApi.snooze) ? (
        <SnoozeDialog
          name={name}
          onClose={() => setChoosing(false)}
          onSnooze={(until) => act({ kind: 'snooze', until })}
        />
      ) : null}
    </div>
  )
}
