import { useInfiniteQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { useForm } from 'react-hook-form'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import {
  IconCash,
  IconFileText,
  IconMessage,
  IconNote,
  IconPhoneCheck,
  IconPlant,
  IconTrash,
} from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { Money } from '../../../ui/Money.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay, useUser } from '../../accounts/web/session.ts'
import { MessagePhotos } from '../../messages/web/MessagePhotos.tsx'
import { tasksApi } from '../../tasks/contract.ts'
import { useRemoveCall } from '../../tasks/web/data.ts'
import { type TimelineItem, timelineApi } from '../contract.ts'
import { type TimelineKind, timelineKindLabels, timelineKinds } from '../rules.ts'
import { timelineQuery, useNotes } from './data.ts'
import './timeline.css'

const icons = {
  visit: <IconPlant size={18} />,
  message: <IconMessage size={18} />,
  call: <IconPhoneCheck size={18} />,
  quote: <IconFileText size={18} />,
  money: <IconCash size={18} />,
  note: <IconNote size={18} />,
}

const who = (text: string): string => (/^\+\d{8,}$/.test(text) ? formatPhone(text) : text)

type Customer = { id: string; name: string }

const Item = ({ item, customer }: { item: TimelineItem; customer: Customer }) => {
  const { business } = useUser()
  const may = useMay()
  const { add, remove } = useNotes(customer.id)
  const removeCall = useRemoveCall()
  const removable =
    // one of the conversation is taken out there, by who wrote it
    (item.kind === 'note' && item.path === null && may(timelineApi.removeNote)) ||
    (item.kind === 'call' && may(tasksApi.removeCall))
  const takeOut = () =>
    item.kind === 'note'
      ? remove.mutate(item.id, {
          onSuccess: ({ text }) =>
            toast.undo('The note is removed', () => add.mutate(text, { onError: toast.error }), item.id),
          onError: toast.error,
        })
      : removeCall.mutate(item.id, {
          onSuccess: () => toast.success('The call is removed'),
          onError: toast.error,
        })
  return (
    <li className="timeline__item">
      <span className="timeline__icon" aria-hidden="true">
        {icons[item.kind]}
      </span>
      <div className="timeline__words">
        <p>{item.path ? <LinkTo href={item.path}>{item.title}</LinkTo> : <b>{item.title}</b>}</p>
        {item.text ? <p className="pre-line timeline__text">{item.text}</p> : null}
        <MessagePhotos photos={item.photos} />
        <p className="hint">
          {[item.dayOnly ? null : formatTime(item.at, business.timeZone), item.who ? who(item.who) : null]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      {item.amountCents === null ? null : (
        <span className="num">
          <Money cents={item.amountCents} />
        </span>
      )}
      {removable ? (
        <IconButton
          size="s"
          kind="quiet"
          label={item.kind === 'note' ? 'Remove this note' : 'Remove this call'}
          icon={<IconTrash size={17} />}
          onClick={takeOut}
        />
      ) : null}
    </li>
  )
}

const AddNote = ({ customer }: { customer: Customer }) => {
  const { add } = useNotes(customer.id)
  const form = useForm<{ text: string }>({ defaultValues: { text: '' } })
  const empty = form.watch('text').trim() === ''
  return (
    <Form
      form={form}
      label="Note"
      onSubmit={async ({ text }) => {
        if (text.trim() === '') return form.setError('text', { message: 'Write the note first.' })
        await add.mutateAsync(text)
        form.reset()
      }}
    >
      <FormField control={form.control} name="text">
        {(f) => <TextAreaField label="New note" rows={2} maxLength={4000} placeholder="What happened today" {...f} />}
      </FormField>
      <div>
        <Button
          calls={timelineApi.addNote}
          size="s"
          type="submit"
          disabled={empty}
          loading={form.formState.isSubmitting}
        >
          Add note
        </Button>
      </div>
    </Form>
  )
}

/** Everything that happened with a customer, in one list: visits, messages, calls, money, notes. */
export const CustomerTimeline = ({ customer, onCall }: { customer: Customer; onCall: (() => void) | null }) => {
  const { business, permissions, role } = useUser()
  const may = useMay()
  const [kind, setKind] = useState<TimelineKind | null>(null)
  const found = useInfiniteQuery(timelineQuery(customer.id, kind))
  const items = found.data?.pages.flatMap((page) => page.items)
  const money = role === 'Owner' || permissions.includes('money')
  const days = Map.groupBy(items ?? [], (item) => dayOf(item.at, business.timeZone))
  return (
    <div className="panel-stack">
      {may(timelineApi.addNote) ? <AddNote customer={customer} /> : null}
      <FilterChips
        single
        label="Show only"
        values={kind ? [kind] : []}
        chips={timelineKinds
          .filter((value) => value !== 'money' || money)
          .map((value) => ({ value, label: timelineKindLabels[value] }))}
        onChange={([value]) => setKind(value ?? null)}
      />
      {found.isError && !items ? (
        <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : !items ? (
        <PanelSkeleton />
      ) : items.length === 0 ? (
        <div className="panel-section">
          <p className="muted">{kind ? 'Nothing of this kind yet.' : `Nothing happened with ${customer.name} yet.`}</p>
          {onCall && (kind === null || kind === 'call') ? (
            <div>
              <Button calls={tasksApi.logCall} size="s" icon={<IconPhoneCheck />} onClick={onCall}>
                Log call
              </Button>
            </div>
          ) : null}
        </div>
      ) : (
        <div className="timeline">
          {[...days].map(([day, list]) => (
            <Fragment key={day}>
              <h3>{formatDay(day, { year: true })}</h3>
              <ul>
                {list.map((item) => (
                  <Item key={item.id} item={item} customer={customer} />
                ))}
              </ul>
            </Fragment>
          ))}
          <LoadMore
            hasMore={found.hasNextPage}
            loading={found.isFetchingNextPage}
            failed={found.isFetchNextPageError}
            onMore={() => void found.fetchNextPage()}
            shown={items.length}
          />
        </div>
      )}
    </div>
  )
}
