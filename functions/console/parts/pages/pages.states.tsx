import { Pages } from "./pages.tsx";

const shared = { limit: 50, count: 1200, hrefOf: (offset: number) => `project/1/errors?offset=${offset}` };

export const states = {
  first: () => <Pages {...shared} label="Releases, from the first" offset={0} />,
  middle: () => <Pages {...shared} label="Releases, from the 501st" offset={500} />,
  last: () => <Pages {...shared} label="Releases, to the last" offset={1150} />,
};
