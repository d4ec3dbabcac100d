import type { GoneFilter } from '../../views/web/HubViews.tsx'

/** Filters that name a crew or a service which is not offered any more. */
export const goneOf = (
  { crewId, serviceId }: { crewId: string; serviceId: string },
  crews: readonly { id: string }[] | undefined,
  services: readonly { id: string }[] | undefined,
): GoneFilter[] => [
  ...(crewId && crews && !crews.some(({ id }) => id === crewId)
    ? [{ key: 'crewId', message: 'The crew of this view is archived, so the list shows the jobs of all crews.' }]
    : []),
  ...(serviceId && services && !services.some(({ id }) => id === serviceId)
    ? [
        {
          key: 'serviceId',
          message: 'The service of this view is archived, so the list shows the jobs of all services.',
        },
      ]
    : []),
]
