import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { linkTo } from '../../../shared/links.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { RecordFailed } from '../../../ui/RecordFailed.tsx'
import { Skeleton, TableSkeleton } from '../../../ui/Skeleton.tsx'
import type { ImportRecord } from '../contract.ts'
import { CheckStep } from './CheckStep.tsx'
import { importQuery } from './data.ts'
import { MappingStep } from './MappingStep.tsx'
import { ResultStep } from './ResultStep.tsx'
import { RunningStep } from './RunningStep.tsx'
import { UploadStep } from './UploadStep.tsx'
import './imports.css'
import { MayOnly } from '../../accounts/web/MayOnly.tsx'
import { importsApi } from '../contract.ts'

const steps = ['Choose the file', 'Match the columns', 'Check the rows', 'Import'] as const

const stepOf = (record: ImportRecord | undefined, remap: boolean): number => {
  if (!record) return 0
  if (record.status === 'uploaded' || remap) return 1
  return record.status === 'checked' || record.status === 'checking' ? 2 : 3
}

const Steps = ({ at }: { at: number }) => (
  <ol className="import-steps" aria-label="Steps of the import">
    {steps.map((step, index) => (
      <li key={step} aria-current={index === at ? 'step' : undefined} className={index < at ? 'is-done' : ''}>
        <span className="import-steps__number num" aria-hidden="true">
          {index + 1}
        </span>
        {step}
      </li>
    ))}
  </ol>
)

/** A customer list from file to customers. Every step stands in the address bar's import, so it can be left and taken up again. */
const Wizard = ({ importId }: { importId: string | null }) => {
  const navigate = useNavigate()
  const found = useQuery({ ...importQuery(importId ?? ''), enabled: importId !== null })
  const [remap, setRemap] = useState(false)
  const record = importId === null ? undefined : found.data
  const at = stepOf(record, remap)
  return (
    <>
      <PageHeader
        back={{ href: '/customers?tab=manage', label: 'Customers' }}
        title={
          record && at === 3 && (record.status === 'done' || record.status === 'undone') ? 'Import' : 'Import your list'
        }
        sub={
          record
            ? `${record.fileName} · ${record.rowCount.toLocaleString('en-US')} rows${record.source ? ` · looks like ${record.source}` : ''}`
            : 'Nothing is saved to your customers before the last step.'
        }
      />
      {record?.status === 'done' || record?.status === 'undone' ? null : (
        <Steps at={importId !== null && !record ? 1 : at} />
      )}
      {importId === null ? (
        <UploadStep onUploaded={(id) => void navigate(linkTo.import(id), { replace: true })} />
      ) : found.isError && !record ? (
        <RecordFailed
          what="import"
          error={found.error}
          onClose={() => void navigate(linkTo.customers())}
          onRetry={found.refetch}
          retrying={found.isFetching}
        />
      ) : !record ? (
        <div className="import-wait">
          <Skeleton width={280} height={22} />
          <TableSkeleton rows={7} columns={3} />
        </div>
      ) : at === 1 ? (
        <MappingStep key={record.id} record={record} onChecked={() => setRemap(false)} />
      ) : at === 2 ? (
        <CheckStep record={record} onRemap={() => setRemap(true)} />
      ) : record.status === 'running' || record.status === 'undoing' ? (
        <RunningStep record={record} />
      ) : (
        <ResultStep record={record} />
      )}
    </>
  )
}

export const ImportWizard = ({ importId }: { importId: string | null }) => (
  <MayOnly need={importsApi.create}>
    <Wizard importId={importId} />
  </MayOnly>
)
