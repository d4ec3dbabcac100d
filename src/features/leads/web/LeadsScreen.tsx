import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { IconColumns, IconMenu2, IconPhone, IconPlus, IconSettings } from '../../../ui/icons.ts'
import { lazyPart, useAhead } from '../../../ui/lazyAhead.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { MayOnly } from '../../accounts/web/MayOnly.tsx'
import { useMay, useUser } from '../../accounts/web/session.ts'
import { type HubView, useHubView } from '../../views/web/data.ts'
import { HubViews } from '../../views/web/HubViews.tsx'
import { businessLeadsApi } from '../contract.ts'
import { leadWaysApi } from '../phone/contract.ts'
import { leadSettingsApi } from '../requests/contract.ts'
import { sourceLabel, sources, stageLabel, stages } from '../rules.ts'
import { countsQuery, peopleQuery } from './data.ts'
import { Funnel } from './Funnel.tsx'
import './leads.css'
import { readPlace } from './place.ts'

const LeadPanel = lazyPart(() => import('./LeadPanel.tsx').then((m) => m.LeadPanel))
const LeadTable = lazyPart(() => import('./LeadTable.tsx').then((m) => m.LeadTable))
const NewLeadDialog = lazyPart(() => import('./NewLead.tsx').then((m) => m.NewLeadDialog))
const WaysIn = lazyPart(() => import('../phone/web/WaysIn.tsx').then((m) => m.WaysIn))
const LeadSetup = lazyPart(() => import('../requests/web/LeadSetup.tsx').then((m) => m.LeadSetup))

const Filters = ({ at }: { at: HubView }) => {
  const place = readPlace(at.params)
  const people = useQuery(peopleQuery)
  const set = (key: string) => (value: string) => at.change({ [key]: value || null }, { replace: true })
  return (
    <div className="leads-filters">
      <div className="leads-filters__search">
        <SearchInput
          slash
          label="Search leads"
          placeholder="Name, phone, e-mail or street"
          value={place.filter.search ?? ''}
          onChange={set('search')}
        />
      </div>
      {place.as === 'table' ? (
        <SelectField
          label="Stage"
          hideLabel
          className="leads-filter"
          placeholder="Any stage"
          value={place.stage ?? ''}
          options={stages.map((value) => ({ value, label: stageLabel[value] }))}
          onChange={set('stage')}
        />
      ) : null}
      <SelectField
        label="Source"
        hideLabel
        className="leads-filter"
        placeholder="Any source"
        value={place.filter.source ?? ''}
        options={sources.map((value) => ({ value, label: sourceLabel[value] }))}
        onChange={set('source')}
      />
      <SelectField
        label="Whose"
        hideLabel
        className="leads-filter"
        placeholder="Everybody's"
        value={place.filter.assigneeId ?? ''}
        options={[
          { value: 'none', label: "Nobody's" },
          ...(people.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={set('assigneeId')}
      />
      <fieldset className="leads-as">
        <legend className="ui-hidden">Show as</legend>
        {(['board', 'table'] as const).map((as) => (
          <button
            key={as}
            type="button"
            aria-pressed={place.as === as}
            onClick={() => at.change({ as: as === 'table' ? 'table' : null, stage: null }, { replace: true })}
          >
            {as === 'board' ? <IconColumns size={16} aria-hidden="true" /> : <IconMenu2 size={16} aria-hidden="true" />}
            {as === 'board' ? 'Board' : 'Table'}
          </button>
        ))}
      </fieldset>
    </div>
  )
}

const summary = (counts: { open: number | null; reply: number | null } | undefined): string => {
  if (!counts) return ' '
  const open = counts.open === null ? 'More than 1,000 open' : `${counts.open} open`
  return counts.reply === 0 || counts.reply === null
    ? open
    : `${open} · ${counts.reply} ${counts.reply === 1 ? 'waits' : 'wait'} for a first answer`
}

const counted = (count: number | null | undefined) => (count === null || count === undefined ? {} : { count })

const Hub = () => {
  const at = useHubView('leads')
  const place = readPlace(at.params)
  const user = useUser()
  const may = useMay()
  useAhead(LeadPanel, NewLeadDialog)
  const counts = useQuery(countsQuery)
  const [adding, setAdding] = useState(false)
  const [settingUp, setSettingUp] = useState<'page' | 'ways' | null>(null)
  const plainId = place.filter.area
    ? 'area'
    : place.filter.due === 'reply'
      ? 'reply'
      : place.filter.due === 'today'
        ? 'today'
        : place.filter.assigneeId === user._id
          ? 'mine'
          : 'all'
  const add = may(businessLeadsApi.create) ? (
    <Button calls={businessLeadsApi.create} kind="primary" icon={<IconPlus />} onClick={() => setAdding(true)}>
      Add a lead
    </Button>
  ) : null
  const open = (id: string | null) => at.change({ leadId: id })
  return (
    <>
      <PageHeader
        title="Leads"
        sub={summary(counts.data)}
        actions={
          <>
            {may(leadSettingsApi.get) ? (
              <Button icon={<IconSettings />} onClick={() => setSettingUp('page')}>
                Form and page
              </Button>
            ) : null}
            {may(leadWaysApi.get) ? (
              <Button icon={<IconPhone />} onClick={() => setSettingUp('ways')}>
                Calls and mail
              </Button>
            ) : null}
            {add}
          </>
        }
      />
      {counts.data?.all === 0 ? (
        <EmptyState title="Nobody asked yet" action={add}>
          Everybody who asks for a price stands here, from the first call to the first cut. Texts from numbers you do
          not know, calls that nobody took and mail to your address come in by themselves.
        </EmptyState>
      ) : (
        <>
          <div className="leads-views">
            <HubViews
              label="Views of leads"
              at={at}
              plain={[
                { id: 'all', name: 'All', query: {}, ...counted(counts.data?.all) },
                { id: 'reply', name: 'Needs a reply', query: { due: 'reply' }, ...counted(counts.data?.reply) },
                { id: 'today', name: 'Due today', query: { due: 'today' }, ...counted(counts.data?.today) },
                { id: 'mine', name: 'Mine', query: { assigneeId: user._id }, ...counted(counts.data?.mine) },
                { id: 'area', name: 'Out of area', query: { as: 'table', area: 'out' } },
              ]}
              plainId={plainId}
            />
          </div>
          <Filters at={at} />
          {place.as === 'table' ? (
            <LeadTable place={place} waiting={at.waiting} change={at.change} />
          ) : (
            <Funnel place={place} waiting={at.waiting} onOpen={open} change={at.change} />
          )}
        </>
      )}
      {place.leadId ? <LeadPanel key={place.leadId} id={place.leadId} onClose={() => open(null)} /> : null}
      {settingUp === 'page' ? <LeadSetup onClose={() => setSettingUp(null)} /> : null}
      {settingUp === 'ways' ? <WaysIn onClose={() => setSettingUp(null)} /> : null}
      {adding ? (
        <NewLeadDialog
          onClose={() => setAdding(false)}
          onMade={(id) => {
            setAdding(false)
            open(id)
          }}
        />
      ) : null}
    </>
  )
}

/** The business's own funnel, from the first call to the first cut. */
export const LeadsScreen = () => (
  <MayOnly need={businessLeadsApi.board}>
    <Hub />
  </MayOnly>
)
