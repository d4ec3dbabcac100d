import { useState } from 'react'
import { formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { IconChevronDown, IconChevronRight } from '../../../ui/icons.ts'
import { Money } from '../../../ui/Money.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import type { ChosenTotals } from '../batch/rules.ts'
import type { BatchPreview } from '../contract.ts'

type Group = BatchPreview['groups'][number]
type Props = {
  groups: readonly Group[]
  chosen: ChosenTotals
  except: ReadonlySet<string>
  onLeave: (visitIds: readonly string[], out: boolean) => void
  /** Their credit is used on the new invoices by itself. */
  usesCredit: boolean
  busy: boolean
}

const daysOf = (group: Group): string => {
  const days = group.visits.map((visit) => visit.day).sort()
  const [first, last] = [days[0] ?? '', days.at(-1) ?? '']
  return first === last ? formatDay(first) : `${formatDay(first)} to ${formatDay(last)}`
}

const Check = ({
  label,
  on,
  half = false,
  onChange,
}: {
  label: string
  on: boolean
  half?: boolean
  onChange: (on: boolean) => void
}) => (
  <label className="ui-check batch-check">
    <input
      type="checkbox"
      aria-label={label}
      checked={on}
      ref={(box) => {
        if (box) box.indeterminate = half
      }}
      onChange={(event) => onChange(event.target.checked)}
    />
  </label>
)

const GroupRow = ({
  group,
  chosen,
  except,
  onLeave,
  usesCredit,
}: { group: Group } & Omit<Props, 'groups' | 'busy'>) => {
  const [open, setOpen] = useState(false)
  const sums = chosen.groups.get(group.key)
  const ids = group.visits.map((visit) => visit.id)
  const left = ids.filter((id) => except.has(id)).length
  const Arrow = open ? IconChevronDown : IconChevronRight
  return (
    <li className={`batch-group${sums ? '' : ' is-out'}`}>
      <div className="batch-group__row">
        <Check
          label={`Invoice ${group.customer.name}${group.place ? `, ${group.place}` : ''}`}
          on={left === 0}
          half={left > 0 && left < ids.length}
          onChange={(on) => onLeave(ids, !on)}
        />
        <button type="button" className="batch-group__open" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Arrow size={17} aria-hidden="true" />
          <span className="batch-group__who">
            <b>{group.customer.name}</b>
            <span className="hint">{group.place ?? `${new Set(group.visits.map((v) => v.place)).size} places`}</span>
          </span>
          <span className="batch-group__what hint num">
            {left > 0 && left < ids.length
              ? `${ids.length - left} of ${ids.length} visits`
              : ids.length === 1
                ? '1 visit'
                : `${ids.length} visits`}{' '}
            · {daysOf(group)}
          </span>
          <span className="batch-group__note">
            {group.creditCents > 0 ? (
              <Badge tone="wait">
                <span
                  title={
                    usesCredit
                      ? 'So much of their money lies on no invoice. It is used on the new one automatically.'
                      : 'So much of their money lies on no invoice. Use it on the new one once it is made.'
                  }
                >
                  {formatCents(group.creditCents)} credit
                </span>
              </Badge>
            ) : null}
            {group.note ? (
              <Badge tone="wait">
                <span title={group.note}>No e-mail</span>
              </Badge>
            ) : null}
          </span>
          <span className="batch-group__sum">
            {sums ? <Money cents={sums.totalCents} /> : <span className="hint">left out</span>}
          </span>
        </button>
      </div>
      {open ? (
        <ul className="batch-visits">
          {group.visits.map((visit) => (
            <li key={visit.id} className={except.has(visit.id) ? 'is-out' : undefined}>
              <Check
                label={`Invoice ${visit.services || 'the visit'} of ${formatDay(visit.day)}, ${visit.place}`}
                on={!except.has(visit.id)}
                onChange={(on) => onLeave([visit.id], !on)}
              />
              <span className="num">{formatDay(visit.day)}</span>
              <span className="batch-visits__what">
                {visit.services || 'Visit'}
                <span className="hint">{visit.place}</span>
              </span>
              <Money cents={visit.priceCents} />
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  )
}

/** Every invoice that would be made, each openable to its visits; what is unticked waits for the next time. */
export const BatchGroups = ({ groups, chosen, except, onLeave, usesCredit, busy }: Props) => {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const shown = wanted
    ? groups.filter((group) =>
        [group.customer.name, ...group.visits.map((visit) => visit.place)].some((text) =>
          text.toLowerCase().includes(wanted),
        ),
      )
    : groups
  const ids = shown.flatMap((group) => group.visits.map((visit) => visit.id))
  const left = ids.filter((id) => except.has(id)).length
  return (
    <section
      className={`batch-groups${busy ? ' is-busy' : ''}`}
      aria-label="Invoices to be made"
      aria-busy={busy || undefined}
    >
      <header>
        <Check
          label="Invoice all of these"
          on={ids.length > 0 && left === 0}
          half={left > 0 && left < ids.length}
          onChange={(on) => onLeave(ids, !on)}
        />
        <span className="batch-groups__title">
          {wanted ? `${shown.length} of ${groups.length} invoices` : 'What each customer gets'}
        </span>
        {groups.length > 12 ? (
          <SearchInput
            label="Find a customer in this batch"
            placeholder="Find a customer"
            value={search}
            onChange={setSearch}
          />
        ) : null}
      </header>
      <ul>
        {shown.map((group) => (
          <GroupRow
            key={group.key}
            group={group}
            chosen={chosen}
            except={except}
            onLeave={onLeave}
            usesCredit={usesCredit}
          />
        ))}
      </ul>
      {shown.length === 0 ? <p className="batch-groups__none muted">Nobody in this batch is called that.</p> : null}
    </section>
  )
}
