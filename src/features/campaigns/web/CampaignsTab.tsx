import { useQuery } from '@tanstack/react-query'
import { recordParam } from '../../../shared/links.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { useParams } from '../../../ui/useParams.ts'
import { useMay } from '../../accounts/web/session.ts'
import { campaignsApi } from '../contract.ts'
import { CampaignEditor } from './CampaignEditor.tsx'
import { CampaignList } from './CampaignList.tsx'
import { CampaignPage } from './CampaignPage.tsx'
import { campaignQuery } from './data.ts'
import './campaigns.css'

type Open = (id: string | null) => void

const One = ({ id, onOpen }: { id: string; onOpen: Open }) => {
  const may = useMay()
  const found = useQuery(campaignQuery(id))
  if (!found.data)
    return found.isError ? (
      <ErrorState
        error={found.error}
        title="We could not load this campaign"
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    ) : (
      <PanelSkeleton />
    )
  const campaign = found.data
  const isOpen = campaign.status === 'draft' || campaign.status === 'scheduled'
  return isOpen && may(campaignsApi.update) ? (
    <CampaignEditor key={campaign.id} campaign={campaign} onOpen={onOpen} />
  ) : (
    <CampaignPage campaign={campaign} onOpen={onOpen} />
  )
}

/** Campaigns: the list, one that is written, or one that was sent. */
export const CampaignsTab = () => {
  const { params, change } = useParams()
  const id = params.get(recordParam.campaign)
  const open: Open = (next) => change({ [recordParam.campaign]: next, step: null, new: null })
  return <div className="cp">{id ? <One id={id} onOpen={open} /> : <CampaignList onOpen={open} />}</div>
}
