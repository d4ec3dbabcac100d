import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { hubPath } from '../../../shared/paths.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Menu } from '../../../ui/Menu.tsx'
import { MoreMenu } from '../../../ui/MoreMenu.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { SwitchField } from '../../../ui/SwitchField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay, useUser } from '../../accounts/web/session.ts'
import { type Automation, automationsApi } from '../contract.ts'
import { kinds, type Way, whenLabel } from '../kinds/rules.ts'
import { AutomationForm } from './AutomationForm.tsx'
import { DryRunCard } from './DryRunCard.tsx'
import { automationQuery, useArchive, useTest, useTurn } from './data.ts'
import { RunHistory } from './RunHistory.tsx'
import { WaitingRuns } from './WaitingRuns.tsx'

type OnSwitchProps = {
  automation: Automation
  /** What was typed beside it and is not saved: it would not be what is sent. */
  unsaved?: boolean
}

/** On or off, at once; off asks first where something waits, on where other words were typed than would be sent. */
export const OnSwitch = ({ automation, unsaved = false }: OnSwitchProps) => {
  const turn = useTurn()
  const mayChange = useMay()(automationsApi.turn)
  const [asking, setAsking] = useState<'off' | 'unsaved' | null>(null)
  const put = async (on: boolean) => {
    const now = await turn.mutateAsync({ params: { id: automation.id }, body: { on, version: automation.version } })
    toast.success(now.enabled ? `${now.name} is on from now on` : `${now.name} is off`)
  }
  return (
    <>
      <SwitchField
        label={automation.enabled ? 'On' : 'Off'}
        value={automation.enabled}
        disabled={!mayChange || turn.isPending}
        onChange={(on) => {
          if (!on && automation.waitingCount > 0) setAsking('off')
          else if (on && unsaved) setAsking('unsaved')
          else void put(on).catch(toast.error)
        }}
      />
      <ConfirmDialog
        open={asking === 'off'}
        onClose={() => setAsking(null)}
        title={`Switch off ${automation.name}?`}
        confirmLabel="Switch off"
        onConfirm={() => put(false)}
      >
        {automation.waitingCount === 1
          ? 'One message waits for a yes. It is canceled.'
          : `${automation.waitingCount} messages wait for a yes. They are canceled.`}
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'unsaved'}
        onClose={() => setAsking(null)}
        title="Switch it on as it was saved?"
        confirmLabel="Switch on as saved"
        cancelLabel="Save first"
        onConfirm={() => put(true)}
      >
        What you changed below is not saved. Messages would leave with the words and times from before.
      </ConfirmDialog>
    </>
  )
}

const testItems = [
  { way: 'sms', language: 'en', label: 'As a text, English' },
  { way: 'sms', language: 'es', label: 'As a text, Spanish' },
  { way: 'email', language: 'en', label: 'As an e-mail, English' },
  { way: 'email', language: 'es', label: 'As an e-mail, Spanish' },
] as const

const Actions = ({ automation, onGone }: { automation: Automation; onGone: () => void }) => {
  const may = useMay()
  const [test, archive] = [useTest(), useArchive()]
  const [asking, setAsking] = useState(false)
  const send = async (channel: Way, language: 'en' | 'es') => {
    const { to } = await test.mutateAsync({ params: { id: automation.id }, body: { channel, language } })
    toast.success(`A test is on its way to ${to}`)
  }
  return (
    <>
      {may(automationsApi.test) ? (
        <Menu
          items={testItems
            .filter(({ way }) => automation.channels.includes(way))
            .map(({ way, language, label }) => ({ label, onClick: () => void send(way, language).catch(toast.error) }))}
        >
          <Button calls={automationsApi.test} loading={test.isPending}>
            Send me a test
          </Button>
        </Menu>
      ) : null}
      {may(automationsApi.archive) ? (
        <MoreMenu
          label={`More for ${automation.name}`}
          items={[{ label: 'Remove', danger: true, onClick: () => setAsking(true) }]}
        />
      ) : null}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Remove ${automation.name}?`}
        confirmLabel="Remove"
        danger
        onConfirm={async () => {
          await archive.mutateAsync({ params: { id: automation.id }, body: { version: automation.version } })
          toast.success(`${automation.name} is removed`)
          onGone()
        }}
      >
        It sends nothing any more, and what waits of it is canceled. What it sent stays in the threads of its customers.
      </ConfirmDialog>
    </>
  )
}

const Found = ({ automation, onClose }: { automation: Automation; onClose: () => void }) => {
  const { timeZone } = useUser().business
  const mayChange = useMay()(automationsApi.update)
  const [unsaved, setUnsaved] = useState(false)
  const { hint, isOffer } = kinds[automation.kind]
  return (
    <div className="au-screen">
      <PageHeader
        title={automation.name}
        sub={whenLabel(automation)}
        back={{ href: hubPath('customers', 'automations'), label: 'Automations' }}
        beside={<Badge tone={automation.enabled ? 'done' : 'neutral'}>{automation.enabled ? 'On' : 'Off'}</Badge>}
        actions={automation.archived ? null : <Actions automation={automation} onGone={onClose} />}
      />
      {automation.archived ? (
        <Banner>This automation was removed. What it sent stands below.</Banner>
      ) : (
        <>
          <WaitingRuns automationId={automation.id} />
          <Card title="How it is sent">
            <div className="au-part">
              <OnSwitch automation={automation} unsaved={unsaved} />
              <p className="hint">
                {automation.enabled && automation.enabledAt
                  ? `On since ${formatDay(dayOf(automation.enabledAt, timeZone))}: nothing leaves for what happened before. `
                  : 'Off. Once it is on, nothing leaves for what happened before. '}
                {hint}
              </p>
              {isOffer ? (
                <p className="hint">An offer: only to who agreed to offers, with a way to get no more.</p>
              ) : null}
              {mayChange ? null : <Banner>You can look at it. Who may change settings can change it.</Banner>}
              <AutomationForm automation={automation} onDirty={setUnsaved} />
            </div>
          </Card>
          <DryRunCard automation={automation} unsaved={unsaved} />
        </>
      )}
      <RunHistory automationId={automation.id} />
    </div>
  )
}

/** One automation: on or off, its form, what it would have done, and what it did. */
export const OneAutomation = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const found = useQuery(automationQuery(id))
  return found.data ? (
    <Found key={found.data.id} automation={found.data} onClose={onClose} />
  ) : found.isError ? (
    <ErrorState
      error={found.error}
      title="We could not load this automation"
      onRetry={() => void found.refetch()}
      retrying={found.isFetching}
    />
  ) : (
    <PanelSkeleton />
  )
}
