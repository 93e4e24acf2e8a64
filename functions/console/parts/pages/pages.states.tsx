import { Pages } from "./pages.tsx";

const shared = { label: "Releases", limit: 50, count: 1200, hrefOf: (offset: number) => `project/1/errors?offset=${offset}` };

export const states = {
  first: () => <Pages {...shared} offset={0} />,
  middle: () => <Pages {...shared} offset={500} />,
  last: () => <Pages {...shared} offset={1150} />,
};
