import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { linkTo, recordParam } from '../../../shared/links.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { keepDraftsOf } from '../../../ui/drafts.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconPlus } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Menu } from '../../../ui/Menu.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { CardSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useParams } from '../../../ui/useParams.ts'
import { useMay, useUser } from '../../accounts/web/session.ts'
import { type Automation, type AutomationSettings, automationsApi } from '../contract.ts'
import { type AutomationKind, automationKinds, kinds, whenLabel } from '../kinds/rules.ts'
import { automationsQuery, useSaveSettings } from './data.ts'
import { NewAutomation } from './NewAutomation.tsx'
import { OneAutomation, OnSwitch } from './OneAutomation.tsx'
import { OthersCard } from './OthersCard.tsx'
import { WaitingRuns } from './WaitingRuns.tsx'
import './automations.css'

const Row = ({ automation }: { automation: Automation }) => (
  <li className="au-row">
    <span className="au-row__words">
      <LinkTo href={linkTo.automation(automation.id)}>{automation.name}</LinkTo>
      <span className="hint">
        {whenLabel(automation)}
        {automation.approval === 'ask' ? ' · waits for your yes' : ''}
      </span>
    </span>
    <span className="au-row__side">
      {automation.waitingCount > 0 ? <Badge tone="wait">{automation.waitingCount} waiting</Badge> : null}
      <span className="hint">
        {automation.sentCount === 0 ? 'none in 30 days' : `${automation.sentCount} in 30 days`}
      </span>
      <OnSwitch automation={automation} />
    </span>
  </li>
)

/** What there is to begin with, and has not been set up yet. */
const Offer = ({ kind, onSetUp }: { kind: AutomationKind; onSetUp: () => void }) => {
  const mayMake = useMay()(automationsApi.create)
  return (
    <li className="au-row">
      <span className="au-row__words">
        <b>{kinds[kind].label}</b>
        <span className="hint">{kinds[kind].hint}</span>
      </span>
      <span className="au-row__side">
        <Badge>Not set up</Badge>
        {mayMake ? (
          <Button calls={automationsApi.create} size="s" aria-label={`Set up ${kinds[kind].label}`} onClick={onSetUp}>
            Set up
          </Button>
        ) : null}
      </span>
    </li>
  )
}

const Cap = ({ settings }: { settings: AutomationSettings }) => {
  const mayChange = useMay()(automationsApi.saveSettings)
  const [typed, setTyped] = useState<number | null>(settings.mostWeekly)
  const save = useSaveSettings()
  const send = async () => {
    const saved = await save.mutateAsync({ mostWeekly: typed ?? settings.mostWeekly, version: settings.version })
    toast.success(`At most ${saved.mostWeekly} of these a week to one customer`)
  }
  return (
    <form
      className="au-cap"
      aria-label="How often"
      onSubmit={(event) => {
        event.preventDefault()
        send().catch(toast.error)
      }}
    >
      <NumberField
        label="Each customer at most"
        unit="a week"
        hint="Of the ones above, all together. Who had two automatic texts that day, a reminder say, gets none of these by text."
        min={1}
        max={14}
        value={typed}
        onChange={setTyped}
        disabled={!mayChange}
      />
      {mayChange && typed !== null && typed !== settings.mostWeekly ? (
        <Button calls={automationsApi.saveSettings} type="submit" loading={save.isPending}>
          Save
        </Button>
      ) : null}
    </form>
  )
}

const List = ({ onSetUp }: { onSetUp: (kind: AutomationKind) => void }) => {
  const found = useQuery(automationsQuery)
  const mayMake = useMay()(automationsApi.create)
  if (!found.data)
    return found.isError ? (
      <ErrorState
        error={found.error}
        title="We could not load the automations"
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    ) : (
      <CardSkeleton />
    )
  const { items, settings } = found.data
  const offered = automationKinds.filter((kind) => !items.some((one) => one.kind === kind))
  return (
    <>
      <WaitingRuns />
      <Card
        title="Automations"
        hint="Each begins with something that happens. All are off until somebody switches them on."
        actions={
          mayMake && offered.length < automationKinds.length ? (
            <Menu
              items={automationKinds.map((kind) => ({
                label: kinds[kind].label,
                onClick: () => onSetUp(kind),
              }))}
            >
              <Button calls={automationsApi.create} icon={<IconPlus />}>
                Another
              </Button>
            </Menu>
          ) : null
        }
      >
        {items.length === 0 && !mayMake ? (
          <EmptyState compact picture="none" title="None is set up yet">
            Who may change settings can set one up.
          </EmptyState>
        ) : null}
        <ul className="au-list" aria-label="Automations">
          {items.map((automation) => (
            <Row key={automation.id} automation={automation} />
          ))}
          {offered.map((kind) => (
            <Offer key={kind} kind={kind} onSetUp={() => onSetUp(kind)} />
          ))}
        </ul>
        <Cap key={settings.version} settings={settings} />
      </Card>
      <OthersCard />
    </>
  )
}

/** Every message that leaves by itself, in one place: what is sent from here, what waits for a yes, and what other parts send. */
export const AutomationsTab = () => {
  const user = useUser()
  const mayMake = useMay()(automationsApi.create)
  useState(() => keepDraftsOf(user._id))
  const { params, change } = useParams()
  const id = params.get(recordParam.automation)
  const kind = automationKinds.find((one) => one === params.get('kind'))
  if (id) return <OneAutomation id={id} onClose={() => change({ [recordParam.automation]: null })} />
  if (kind && mayMake)
    return (
      <NewAutomation
        key={kind}
        kind={kind}
        // back leads to the list and not to a form that would make another one
        onMade={(made) => change({ kind: null, [recordParam.automation]: made }, { replace: true })}
      />
    )
  return (
    <div className="au-screen">
      <PageHeader
        title="Automations"
        sub="Everything that customers hear by themselves"
        actions={<Button href={linkTo.campaigns()}>Campaigns</Button>}
      />
      <List onSetUp={(next) => change({ kind: next })} />
    </div>
  )
}
