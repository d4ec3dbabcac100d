import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { linkTo } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconCopy, IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '../../../ui/icons.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay, useUser } from '../../accounts/web/session.ts'
import { servicesQuery } from '../../services/web/data.ts'
import { type Campaign, campaignsApi } from '../contract.ts'
import { countToGet, progressLabel } from '../rules.ts'
import { type Condition, conditionLabel } from '../segments/rules.ts'
import { CampaignPeople } from './CampaignPeople.tsx'
import { billedQuery, resultsQuery, useCampaigns } from './data.ts'
import { instantWords } from './instantWords.ts'
import { Preview } from './Preview.tsx'
import { Billed, Figures, NotSent, Tested } from './Results.tsx'
import { StatusBadge } from './StatusBadge.tsx'

const Audience = ({ conditions }: { conditions: Condition[] }) => {
  const services = useQuery({ ...servicesQuery, enabled: conditions.some(({ kind }) => kind === 'service') })
  const names = new Map((services.data ?? []).map(({ id, name }) => [id, name]))
  return (
    <Card title="Who it was for">
      {conditions.length === 0 ? (
        <p className="muted">Everybody in the list who was not archived.</p>
      ) : (
        <ul className="cp-why">
          {conditions.map((one) => (
            <li key={JSON.stringify(one)}>{conditionLabel(one, names)}</li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const Actions = ({ campaign, onOpen }: { campaign: Campaign; onOpen: (id: string) => void }) => {
  const { act } = useCampaigns()
  const [stopping, setStopping] = useState(false)
  const { id, can } = campaign
  const run = (verb: 'copy' | 'pause' | 'resume') =>
    act.mutate({ id, verb }, { onSuccess: (made) => verb === 'copy' && onOpen(made.id), onError: toast.error })
  return (
    <>
      {can.cancel ? (
        <Button kind="danger" icon={<IconPlayerStop />} onClick={() => setStopping(true)}>
          Cancel it
        </Button>
      ) : null}
      {can.copy ? (
        <Button icon={<IconCopy />} calls={campaignsApi.copy} disabled={act.isPending} onClick={() => run('copy')}>
          Copy
        </Button>
      ) : null}
      {can.pause ? (
        <Button icon={<IconPlayerPause />} loading={act.isPending} onClick={() => run('pause')}>
          Pause
        </Button>
      ) : null}
      {can.resume ? (
        <Button
          kind="primary"
          icon={<IconPlayerPlay />}
          calls={campaignsApi.resume}
          loading={act.isPending}
          onClick={() => run('resume')}
        >
          Go on
        </Button>
      ) : null}
      <ConfirmDialog
        open={stopping}
        onClose={() => setStopping(false)}
        title="Cancel this campaign?"
        confirmLabel="Cancel the campaign"
        cancelLabel="Keep it"
        danger
        onConfirm={() => act.mutateAsync({ id, verb: 'cancel' })}
      >
        What has left stays with the customers. What waits is not sent, and the campaign cannot go on.
      </ConfirmDialog>
    </>
  )
}

/** A campaign that has begun: how far it is, what became of it and what it brought. */
export const CampaignPage = ({ campaign, onOpen }: { campaign: Campaign; onOpen: (id: string) => void }) => {
  const may = useMay()
  const { timeZone } = useUser().business
  const results = useQuery(resultsQuery(campaign.id))
  const billed = useQuery(billedQuery(campaign.id))
  const { status, queued, startedAt, endedAt, nextAt, channel } = campaign
  const when = (instant: string): string => instantWords(instant, timeZone)
  return (
    <>
      <PageHeader
        back={{ href: linkTo.campaigns(), label: 'All campaigns' }}
        title={campaign.name}
        beside={<StatusBadge status={status} />}
        sub={`${channel === 'email' ? 'By e-mail' : 'By text'}${startedAt ? `, begun ${when(startedAt)}` : ''}${campaign.byName ? ` by ${campaign.byName}` : ''}${endedAt ? `, ended ${when(endedAt)}` : ''}`}
        actions={<Actions campaign={campaign} onOpen={onOpen} />}
      />
      <div className="cp-page">
        {status === 'paused' ? (
          <Banner tone="warn" title={campaign.pauseReason ? 'It paused by itself' : 'It is paused'}>
            {campaign.pauseReason ?? 'Nothing leaves until it goes on. Nobody gets it twice.'}
          </Banner>
        ) : null}
        {status === 'running' || status === 'paused' ? (
          <Card>
            <Progress
              value={queued}
              max={Math.max(1, countToGet(campaign) ?? campaign.chosen)}
              label="On its way"
              detail={progressLabel(campaign)}
              tone={status === 'paused' ? 'now' : 'done'}
            />
            {status === 'running' && campaign.decideAt && !campaign.decidedAt ? (
              <p className="hint">The better subject is chosen {when(campaign.decideAt)}; then the rest follows.</p>
            ) : nextAt && Date.parse(nextAt) > Date.now() + 600_000 ? (
              <p className="hint">The next ones leave {when(nextAt)}.</p>
            ) : null}
          </Card>
        ) : null}
        {results.data ? (
          <>
            <Figures found={results.data} channel={channel} />
            {billed.data ? (
              <Billed found={billed.data} />
            ) : billed.isError ? (
              <ErrorState
                compact
                error={billed.error}
                onRetry={() => void billed.refetch()}
                retrying={billed.isFetching}
              />
            ) : null}
            <Tested found={results.data} />
            <NotSent found={results.data} />
          </>
        ) : results.isError ? (
          <ErrorState
            error={results.error}
            title="We could not load the results"
            onRetry={() => void results.refetch()}
            retrying={results.isFetching}
          />
        ) : (
          <PanelSkeleton />
        )}
        <Audience conditions={campaign.conditions as Condition[]} />
        {may(campaignsApi.preview) ? (
          <Card title="What it says">
            <Preview channel={channel} content={campaign.content} language="en" variant={campaign.winner ?? 'a'} />
          </Card>
        ) : null}
        <CampaignPeople id={campaign.id} />
      </div>
    </>
  )
}
